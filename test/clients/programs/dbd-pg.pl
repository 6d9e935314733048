# Checks as lines of `ok name` and `not ok name: why`, then how many there were. Called with the server's port.
use strict;
use warnings;
use DBI;
use DBD::Pg qw(:pg_types :async);

my $port = shift;
my $db = DBI->connect("dbi:Pg:dbname=main;host=127.0.0.1;port=$port", "me", "", { RaiseError => 1, PrintError => 0, AutoCommit => 1, pg_enable_utf8 => 1 });
my $count = 0;

sub check {
    my ($name, $wanted, $body) = @_;
    $count++;
    my $given = eval { $body->() };
    if (!defined $given) { my $why = $@ || 'undef'; $why =~ s/\n/ /g; print "not ok $name: $why\n" }
    elsif ($given ne $wanted) { print "not ok $name: $given is not $wanted\n" }
    else { print "ok $name\n" }
}

sub rows {
    my ($statement, @columns) = @_;
    my $out = '';
    while (my $row = $statement->fetchrow_hashref) { $out .= '[' . join(',', map { $row->{$_} // '-' } @columns) . ']' }
    return $out;
}

check('tables', '0E0', sub {
    $db->do("CREATE TYPE mood AS ENUM ('sad', 'ok')");
    $db->do('CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL)');
    $db->do("CREATE TABLE items (id serial PRIMARY KEY, a int REFERENCES users, b text, c bytea, d text[], e numeric(8,2) DEFAULT 1.5, f bool, g mood DEFAULT 'ok')");
    $db->do("INSERT INTO users (name) SELECT 'u' || g FROM generate_series(1, 5) g");
    $db->do('CREATE UNIQUE INDEX items_b ON items (b)');
});
check('placeholders', 1, sub {
    my $insert = $db->prepare('INSERT INTO items (a, b, c, d, e, f) VALUES (?, ?, ?, ?, ?, ?)');
    $insert->bind_param(3, undef, { pg_type => PG_BYTEA });
    $insert->execute($_, "\x{263a}$_", "a\0b", ['x', undef, 'y z'], '1.50', 't') for 1 .. 5;
    $insert->rows;
});
check('values', "3,\x{263a}3,3,y z,1.50,1", sub {
    binmode STDOUT, ':utf8';
    my ($row) = @{ $db->selectall_arrayref('SELECT a, b, length(c) AS n, d, e, f FROM items WHERE a = ?', { Slice => {} }, 3) };
    join ',', $row->{a}, $row->{b}, $row->{n}, $row->{d}[2], $row->{e}, $row->{f};
});
check('numbered and named placeholders', '3,5', sub {
    my $numbered = $db->prepare('SELECT $1::int + $2::int');
    $numbered->execute(1, 2);
    my $named = $db->prepare('SELECT :one::int + :two::int');
    $named->bind_param(':one', 2);
    $named->bind_param(':two', 3);
    $named->execute;
    join ',', ($numbered->fetchrow_array)[0], ($named->fetchrow_array)[0];
});
check('last_insert_id', 5, sub { $db->last_insert_id(undef, undef, 'items', undef) });
check('table_info', '[public,items,TABLE]', sub { rows($db->table_info(undef, 'public', 'items', 'TABLE'), qw(TABLE_SCHEM TABLE_NAME TABLE_TYPE)) });
check('tables by name', 'public.items', sub { join ',', $db->tables(undef, 'public', 'items', 'TABLE') });
check('column_info', q{[id,integer,0,nextval('items_id_seq'::regclass)][a,integer,1,-][b,text,1,-][c,bytea,1,-][d,text[],1,-][e,numeric(8,2),1,1.5][f,boolean,1,-][g,mood,1,'ok'::mood]},
    sub { rows($db->column_info(undef, 'public', 'items', '%'), qw(COLUMN_NAME pg_type NULLABLE COLUMN_DEF)) });
check('labels of an enum', 'sad,ok', sub { join ',', @{ $db->column_info(undef, 'public', 'items', 'g')->fetchrow_hashref->{pg_enum_values} } });
check('primary_key_info', '[id,items_pkey,1]', sub { rows($db->primary_key_info(undef, 'public', 'items'), qw(COLUMN_NAME PK_NAME KEY_SEQ)) });
check('foreign_key_info', '[id,a,items_a_fkey]',
    sub { rows($db->foreign_key_info(undef, 'public', 'users', undef, 'public', 'items'), qw(UK_COLUMN_NAME FK_COLUMN_NAME FK_NAME)) });
check('statistics_info', '[items_b,0,1,b][items_pkey,0,1,id]',
    sub { rows($db->statistics_info(undef, 'public', 'items', 1, 0), qw(INDEX_NAME NON_UNIQUE ORDINAL_POSITION COLUMN_NAME)) });
check('types of columns', '23,25,1009,1700', sub {
    my $statement = $db->prepare('SELECT id, b, d, e FROM items');
    $statement->execute;
    join ',', map { { int4 => 23, text => 25, _text => 1009, numeric => 1700 }->{$_} } @{ $statement->{pg_type} };
});
check('transactions and savepoints', '22012,5', sub {
    $db->begin_work;
    $db->do('DELETE FROM items WHERE a = 1');
    $db->pg_savepoint('one');
    eval { $db->do('SELECT 1 / 0') };
    my $state = $db->state;
    $db->pg_rollback_to('one');
    $db->rollback;
    $state . ',' . $db->selectrow_array('SELECT count(*) FROM items');
});
check('COPY both ways', 11, sub {
    $db->do('COPY items (b) FROM STDIN');
    $db->pg_putcopydata("r$_\n") for 10 .. 20;
    $db->pg_putcopyend;
    $db->do("COPY (SELECT b FROM items WHERE b LIKE 'r%') TO STDOUT");
    my ($lines, $line) = (0, '');
    $lines++ while $db->pg_getcopydata($line) >= 0;
    $lines;
});
check('cursors', '1,2,3', sub {
    $db->begin_work;
    $db->do('DECLARE c CURSOR FOR SELECT id FROM items ORDER BY id');
    my $ids = $db->selectcol_arrayref('FETCH 3 FROM c');
    $db->commit;
    join ',', @$ids;
});
check('asynchronous queries', 1, sub { $db->do('SELECT 42', { pg_async => PG_ASYNC }); $db->pg_result });
check('notifications', 'newshello', sub { $db->do('LISTEN news'); $db->do("NOTIFY news, 'hello'"); my $got = $db->pg_notifies; $got->[0] . $got->[2] });
check('errors', '23505items_pkey', sub { eval { $db->do('INSERT INTO items (id) VALUES (1)') }; $db->state . $db->pg_error_field('constraint') });
check('ping', 1, sub { $db->ping });

$db->disconnect;
print "1..$count\n";

# Connects and asks what DBI asks of a schema; called with the server's port.
use strict;
use warnings;
use DBI;
my $db = DBI->connect("dbi:Pg:dbname=main;host=127.0.0.1;port=$ARGV[0]", "me", "", { RaiseError => 1 });
$_->finish for grep { defined } (
    $db->table_info(undef, '%', '%', 'TABLE'), $db->column_info(undef, 'public', 'items', '%'), $db->column_info(undef, 'shop', 'users', '%'),
    $db->primary_key_info(undef, 'public', 'items'), $db->foreign_key_info(undef, 'shop', 'users', undef, 'public', 'items'),
    $db->statistics_info(undef, 'public', 'items', 0, 0),
);
$db->selectall_arrayref('SELECT id FROM items WHERE owner = ?', undef, 1);
$db->ping;
print $DBD::Pg::VERSION;
$db->disconnect;

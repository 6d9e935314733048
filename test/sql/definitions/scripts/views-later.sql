-- A view means what it meant when it was made, whatever columns its tables get.
create table a (id int, x int);

create table b (id int, y int);

create table c (z int);

create view nat as select * from a natural join b;

create view cross_ as select * from a natural join c;

create view left_ as select * from a natural left join c;

create view plain as select x, y from a join b on a.id = b.id where x > 0 order by y;

create view star as select * from a;

create view sub as select x, (select max(y) from b where b.id = x) from a;

create view lat as select x, s from a, lateral (select x + 1 as s) l;

create view aliased as select q from (select x as q from a) d join b on b.id = q;

create view using_ as select id, x, y from a join b using (id);

create materialized view mat as select * from a natural join b;

insert into a values (1, 2);

insert into b values (1, 3);

insert into c values (9);

alter table b add x int, add q int default 4, add s int default 5, add "order" int;

alter table c add id int default 1, add x int;

alter table a add y int default 7, add z int default 9;

select * from nat;

select * from cross_;

select * from left_;

select * from plain;

select * from star;

select * from sub;

select * from lat;

select * from aliased;

select * from using_;

refresh materialized view mat;

select * from mat;

select viewname, pg_get_viewdef(viewname::regclass) from pg_views where schemaname = 'public' and viewname <> 'left_' order by 1;

alter table b rename y to yy;

alter table a rename to aa;

select * from nat;



create table m (u text, doc int);

create table d (doc int, title text);

create policy p on d using (exists (select 1 from m where m.doc = d.doc and u = title));

create rule ru as on insert to d do also insert into m select title, yy from b, d where b.id = new.doc and title = new.title;

create function checks() returns setof record language sql as $$ select polname, pg_get_expr(polqual, polrelid) from pg_policy $$;

create function atomic(k int) returns int language sql begin atomic select yy + k from aa join b on aa.id = b.id where aa.x > 0; end;

create function atomic2(k int) returns setof int language sql begin atomic insert into c (z) values (k); select j.z + k from c natural join (select 1 as one) j1 join c j using (z) where z = k; end;

alter table m add title text default 'other';

alter table aa add n int default 100, add yy int;

alter table b add title text default 'b';

select pg_get_expr(polqual, polrelid) from pg_policy;

insert into d values (1, 't');

select * from m;

alter table c add one int;

select atomic(1);

select atomic2(3);

-- Queries of many forms as pg_get_viewdef shows them.
create table t (a int primary key, b text, c numeric(6,2), d date, e int[], j jsonb, ts timestamptz, iv interval, bo bool, u uuid, p point, r int4range, x xml, bi bit(3), n name, ch char(4), vc varchar(5), dp float8);

create type en as enum ('x','y');

create domain dm as int;

create type ct as (q int, w text);

create table t2 (a int references t, z en, dd dm, cc ct);

create view v01 as select a, b || 'x' as bx, -c as neg, c + 1 as plus, a % 2 as mod, not bo as nb, a between 1 and 5 as bt, a not between 1 and 5 as nbt, b like 'a%' as lk, b not ilike 'a_' as nil, b similar to 'a|b' as sim, b ~ '^x' as re, a in (1,2,3) as inl, a not in (1,2) as ninl, a = any(e) as anye, a <> all(array[1,2]) as alla, b is null as isn, b is not null as inn, bo is true as it, bo is not unknown as inu, a is distinct from 3 as idf, a is not distinct from 3 as indf from t;

create view v02 as select case when a > 1 then 'x' when a < 0 then 'y' else 'z' end as c1, case a when 1 then 'one' end as c2, coalesce(b,'q') as co, nullif(a,1) as nu, greatest(a,1,2) as gr, least(a,1) as le, cast(a as text) as ca, a::numeric(5,1) as num, b::varchar(3) as vc, c::int as ci, '2020-01-01'::date as dt, timestamp '2020-01-01' as ts, interval '1 day' as iv, interval '1' year as iy, date '2020-01-01' + 1 as d1, array[1,2,a] as ar, array[]::int[] as ea, row(1,a) as rw, (1,2)::ct as rc, e[1] as e1, e[1:2] as e2, e[:2] as e3, j->'a' as ja, j->>'b' as jb, j#>'{a,b}' as jp, j['k'] as jk from t;

create view v03 as select extract(year from d) as ey, extract(epoch from ts) as ep, substring(b from 2 for 3) as s1, substring(b from 'a.') as s2, substring(b similar 'a#"b#"c' escape '#') as s3, overlay(b placing 'x' from 1 for 2) as ov, position('x' in b) as po, trim(both 'x' from b) as tb, trim(leading from b) as tl, trim(trailing 'y' from b) as tt, b collate "C" as cl, ts at time zone 'UTC' as tz, current_date as cd, current_timestamp as cts, localtime as lt, current_timestamp(2) as ct2, current_user as cu, session_user as su, current_role as cr, user as us, current_catalog as cc, current_schema as cs, normalize(b) as no, normalize(b, nfkc) as nk, b is normalized as isno, (d, d) overlaps (d, d) as ovl, xmlelement(name foo, xmlattributes(a as at), b) as xe, xmlforest(a, b as bb) as xf, xmlconcat(x,x) as xc, xmlparse(document '<a/>') as xp, xmlserialize(content x as text) as xs, xmlpi(name php, 'x') as xpi, xmlroot(x, version '1.0') as xr, x is document as xd from t;

create view v04 as select count(*) as c, count(distinct a) as cd, sum(a) filter (where a > 1) as sf, string_agg(b, ',' order by a desc nulls last) as sa, array_agg(a order by b using <) as aa, percentile_cont(0.5) within group (order by c) as pc, rank(1) within group (order by a) as rk, grouping(b) as g from t group by b having count(*) > 1;

create view v05 as select a, row_number() over () as rn, sum(a) over (partition by b order by a rows between 1 preceding and current row) as s1, first_value(a) over w as fv, lag(a,1,0) over (w rows unbounded preceding) as lg, count(*) filter (where bo) over (order by a range between interval '1 day' preceding and unbounded following exclude ties) as c from (select a, b, bo, ts from t) q window w as (partition by b order by a desc nulls first);

create view v06 as select t.a, t2.a as a2, x.z from t join t2 on t.a = t2.a left join (select a as aa, z from t2) x on x.aa = t.a cross join t t3 right join t t5 on true;

create view v07 as select * from t join t2 using (a);

create view v07b as select * from t left join t2 using (a) as jx where jx.a > 1;

create view v08 as with q as (select 1 as one), r as materialized (select * from q), s (x, y) as not materialized (select 1, 2) select * from q, r, s;

create view v09 as with recursive r(n) as (values (1) union all select n + 1 from r where n < 5) select * from r;

create view v09b as with recursive r(n) as (values (1) union all select n + 1 from r where n < 5) search breadth first by n set o cycle n set c using p select * from r;

create view v10 as select a from t union select a from t2 union all (select 1 except select 2) intersect select 3 order by 1 limit 5 offset 2;

create view v11 as values (1,'a'),(2,'b');

create view v12 as select * from (values (1,2),(3,4)) as v(x,y);

create view v13 as select distinct on (b) b, a from t order by b, a desc;

create view v14 as select distinct b from t fetch first 3 rows with ties;

create view v14 as select distinct b from t order by b fetch first 3 rows with ties;

create view v15 as select a, (select max(a) from t2 where t2.a = t.a) as sub, exists (select 1 from t2) as ex, array(select a from t2) as ar, a in (select a from t2) as ins, a not in (select a from t2) as nins, a = any (select a from t2) as an, a > all (select a from t2) as al, (a, b) in (select a, 'x' from t2) as rin, (a,1) = (select 1,2) as req from t;

create view v16 as select g, o from generate_series(1,3) with ordinality as s(g,o);

create view v17 as select * from rows from (generate_series(1,2), unnest(array['a','b'])) with ordinality as r(x,y,z);

create view v18 as select * from json_to_recordset('[]') as x(a int, b text);

create view v19 as select t.a, l.* from t, lateral (select t.a + 1 as n) l, lateral unnest(t.e) u;

create view v20 as select * from t tablesample bernoulli (10) repeatable (5);

create view v21 as select * from only t;

create view v23 as select t2 from t2;

create view v24 as select a from t for update;

create view v25 as select a from t where row(a,b) > row(1,'x') and (a,b) is not null and (e && array[1] or e @> '{2}') and not (bo and a > 1 or c < 2);

create view v26 as select unnest(e) as u, generate_series(1,a) as g from t;

create view v27 as select * from xmltable('/a' passing '<a/>' columns id int path '@id', o for ordinality, n text default 'x' not null);

create view v28 as select b, c, count(*) from t group by grouping sets ((b),(c),()), rollup(b,c);

create view v28b as select b, count(*) from t group by distinct cube(b, c), rollup (b);

create view v29 as select 'it''s' as q, E'a\\b\n' as e, 1.50 as n, 1e10 as f, -5 as m, null as nn, true as tr, B'101' as bt, X'1F' as hx, '{}'::jsonb as js, 'x'::en as en, 5::dm as dm, '(1,2)'::point as pt, '\xde'::bytea as by, 99999999999 as big;

create view v30 as select a as "A b", b as "select", 1 as "1x", c as camelcase from t as "T x";

create view v31 as select a operator(pg_catalog.+) 1 as p, pg_catalog.lower(b) as l, b::pg_catalog.text as tx, - (- a) as nn, (a + 1) * 2 as m1, a + (1 * 2) as m2, (a * 2) / 3 as m3, a - (b::int - 1) as m4, 2 ^ a ^ 2 as pw, not (not bo) as n2, (bo or bo) and bo as oa, bo or (bo and bo) as ob, (a = 1) = bo as eq, a::text || b as cc, @ a as ab, |/ a as sq, (b || 'x') like 'y' as lk, (case when bo then 1 end) + 1 as cs, (select 1) + 1 as sb, (a, b) = (1, 'x') as re, array[a] || e as ac, (e)[1] + 1 as ix, (array[1,2])[1] as ai from t;

select pg_get_viewdef(viewname::regclass, true) from pg_views where schemaname = 'public' order by viewname;

select pg_get_viewdef(viewname::regclass) from pg_views where schemaname = 'public' order by viewname;

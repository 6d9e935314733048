-- What is only written down is shown again.
create function sums(int, int) returns int language sql immutable as 'select $1 + $2';

create function less(int, int) returns int language sql immutable as 'select $1 - $2';

create aggregate moving(int) (sfunc = int4pl, stype = int4, sspace = 8, initcond = '0', combinefunc = int4pl, finalfunc_modify = shareable, parallel = safe, sortop = <,
  msfunc = sums, minvfunc = less, mstype = int4, minitcond = '1', msspace = 16, mfinalfunc_modify = read_write);

create aggregate plain(int) (sfunc = int4pl, stype = int4);

create aggregate ordered(float8 order by int) (sfunc = int4pl, stype = int4, initcond = '0', finalfunc = less);

create aggregate ordered(int order by int) (sfunc = int4pl, stype = int4, initcond = '0', finalfunc = less);

select aggfnoid::regprocedure, aggkind, aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn, aggfinalmodify, aggmfinalmodify, aggsortop::regoperator, aggtranstype::regtype, aggtransspace,
  aggmtranstype::regtype, aggmtransspace, agginitval, aggminitval, proparallel
  from pg_aggregate join pg_proc p on p.oid = aggfnoid where pronamespace = 'public'::regnamespace order by aggfnoid::regprocedure::text collate "C";

create aggregate bad(int) (sfunc = int4pl, stype = int4, sortop = ===);

create aggregate bad(int, int) (sfunc = nope, stype = int4, sortop = <);

drop function less(int, int);

create function eq(int, text) returns bool language sql immutable as 'select true';

create function qe(text, int) returns bool language sql immutable as 'select true';

create operator === (leftarg = int, rightarg = text, function = eq, restrict = eqsel, join = eqjoinsel);

create operator === (leftarg = text, rightarg = int, function = qe, commutator = ===);

create operator =!= (leftarg = int, rightarg = text, function = eq, negator = ===);

select oid::regoperator, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin from pg_operator where oprnamespace = 'public'::regnamespace order by oid::regoperator::text collate "C";

alter operator === (int, text) set (restrict = none);

alter operator === (text, int) set (restrict = neqsel, join = neqjoinsel);

alter operator === (text, int) set (restrict = nope);

alter operator === (text, int) set (commutator = ===);

select oid::regoperator, oprrest, oprjoin from pg_operator where oprnamespace = 'public'::regnamespace order by oid::regoperator::text collate "C";

create operator ==== (leftarg = int, rightarg = text, function = eq, restrict = nope);

create table src (a text, b text, constraint ck check (a <> ''));

alter table src alter b set storage external, alter a set compression pglz;

comment on constraint ck on src is 'kept';

create table l1 (like src including storage including compression);

create table l2 (like src including constraints including comments);

create table l3 (like src including constraints);

select attrelid::regclass, attname, attstorage, attcompression from pg_attribute where attrelid in ('l1'::regclass, 'l2'::regclass) and attnum > 0 order by 1, attnum;

select conrelid::regclass, conname, obj_description(oid, 'pg_constraint') from pg_constraint where conname = 'ck' order by 1::text;

create type rr as range (subtype = int4);

create operator #=# (leftarg = rr, rightarg = rr, function = range_eq);

create operator #=# (leftarg = varchar, rightarg = varchar, function = texteq);

create operator #=# (leftarg = text, rightarg = text, function = texteq);

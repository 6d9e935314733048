-- An UPDATE of pg_settings sets. (Rows of a rule's SELECT are not sent, so that most of them stand in blocks.)
do $$ begin
  update pg_settings set setting = '2' where name = 'extra_float_digits';
  update pg_settings as s set setting = w.v from (values ('work_mem', '8192'), ('application_name', 'told')) w (n, v) where s.name = w.n;
  update pg_catalog.pg_settings set setting = 50000 + 5 where name like 'statement_time%';
end $$;

show extra_float_digits;

show work_mem;

show application_name;

show statement_timeout;

select name, setting from pg_settings where name in ('extra_float_digits', 'work_mem', 'statement_timeout') order by name;

do $$ begin
  update pg_settings set setting = default where name = 'work_mem';
  update pg_settings set setting = 'x', name = 'y' where name = 'work_mem';
  update pg_settings set setting = '1' where name = 'nothing';
end $$;

show work_mem;

update pg_settings set setting = 'x' where name = 'work_mem';

update pg_settings set nothing = 'x';

update pg_settings set setting = 'x' where nothing = 1;

update pg_settings set setting = '1' where name = 'work_mem' returning *;

insert into pg_settings (name) values ('x');

delete from pg_settings;

set work_mem = '8MB';

select set_config('work_mem', null, false), set_config('search_path', null, true), set_config('my.own', null, false);

select set_config('my.own', 'x', false);

select set_config('my.own', null, false), current_setting('my.own');

select set_config(null, 'x', false);

CREATE TABLE s1(id int primary key, v int);

CREATE TABLE s2(id int primary key, v int unique);

CREATE FUNCTION fw(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO s1 VALUES (100+i, i); INSERT INTO s1 VALUES (200+i, i); UPDATE s1 SET v = v + 1000 WHERE id = i; DELETE FROM s1 WHERE id = 200 + i - 1; RETURN (SELECT count(*) FROM s1); END $$;

INSERT INTO s1 SELECT i, i FROM generate_series(1,5) i;

SELECT i, fw(i), (SELECT count(*) FROM s1 WHERE id <> i), (SELECT v FROM s1 WHERE id = i) FROM generate_series(1,5) i;

SELECT * FROM s1 ORDER BY 1;

DO $$ DECLARE r record; n int := 0; BEGIN
 INSERT INTO s1 VALUES (500, 1); INSERT INTO s1 VALUES (501, 2); INSERT INTO s2 VALUES (1,1); INSERT INTO s2 VALUES (2,2); INSERT INTO s2 VALUES (3,3);
 FOR r IN SELECT a.id, b.v FROM s1 a, LATERAL (SELECT count(*) v FROM s2 WHERE s2.id <> a.id) b ORDER BY 1 LOOP
  n := n + 1; INSERT INTO s1 VALUES (1000+n, n); INSERT INTO s2 VALUES (10+n, 10+n); UPDATE s1 SET v = -1 WHERE id = 500; DELETE FROM s2 WHERE id = 2;
  RAISE NOTICE '% % %', r.id, r.v, n;
 END LOOP; END $$;

SELECT count(*), sum(v) FROM s1;

SELECT count(*), sum(v) FROM s2;

DO $$ BEGIN FOR i IN 1..300 LOOP INSERT INTO s2 VALUES (1000+i, 1000+i); UPDATE s2 SET v = v + 5000 WHERE id = 1000 + i; IF i % 3 = 0 THEN DELETE FROM s2 WHERE id = 1000 + i - 1; END IF;
 IF i % 50 = 0 THEN BEGIN INSERT INTO s2 VALUES (3000+i, 3000+i); UPDATE s2 SET v = 0 WHERE id = 1001; INSERT INTO s2 VALUES (3001+i, 0); EXCEPTION WHEN unique_violation THEN RAISE NOTICE 'dup %', SQLERRM; END; END IF; END LOOP; END $$;

SELECT count(*), sum(v), sum(id) FROM s2;

BEGIN;

DO $$ BEGIN FOR i IN 1..20 LOOP UPDATE s2 SET v = v + 100000 WHERE id = 1; UPDATE s2 SET v = v - 100000 WHERE id = 1; END LOOP; END $$;

SELECT * FROM s2 WHERE id = 1;

SAVEPOINT a;

DO $$ BEGIN FOR i IN 1..20 LOOP INSERT INTO s1 VALUES (5000+i, i); END LOOP; END $$;

SELECT count(*) FROM s1;

ROLLBACK TO a;

SELECT count(*) FROM s1;

DO $$ BEGIN FOR i IN 1..20 LOOP INSERT INTO s1 VALUES (5000+i, i); DELETE FROM s1 WHERE id = 5000+i; INSERT INTO s1 VALUES (5000+i, i*2); END LOOP; END $$;

COMMIT;

SELECT count(*), sum(v) FROM s1;

CREATE TABLE audit(n serial, op text, id int, was int, now int);

CREATE TABLE watched(id int primary key, v int, x int, c int references s1 on delete cascade);

CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.x := (SELECT count(*) FROM audit); INSERT INTO audit (op, id) VALUES ('before', NEW.id); RETURN NEW; END $$;

CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN INSERT INTO audit (op, id, was) VALUES (TG_OP, OLD.id, OLD.v); RETURN NULL; END IF;
  INSERT INTO audit (op, id, was, now) VALUES (TG_OP, NEW.id, CASE WHEN TG_OP = 'UPDATE' THEN OLD.v END, NEW.v);
  UPDATE audit SET now = now + 1 WHERE n = (SELECT max(n) FROM audit); RETURN NULL; END $$;

CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION stamp();

CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON watched FOR EACH ROW EXECUTE FUNCTION tell();

INSERT INTO watched SELECT i, i, 0, CASE WHEN i <= 5 THEN i END FROM generate_series(1, 40) i;

UPDATE watched SET v = v * 10 WHERE id % 2 = 0;

DELETE FROM watched WHERE id > 30;

DELETE FROM s1 WHERE id IN (2, 4);

SELECT * FROM watched ORDER BY 1;

SELECT * FROM audit ORDER BY 1;

DO $$ BEGIN
  FOR i IN 1..1500 LOOP INSERT INTO s1 VALUES (20000 - i, i); END LOOP;
  FOR i IN 1..1500 LOOP UPDATE s1 SET v = v + 1 WHERE id = 20000 - (i * 7 % 1500); END LOOP;
  FOR i IN 1..1500 LOOP IF i % 4 = 0 THEN DELETE FROM s1 WHERE id = 20000 - i; END IF; END LOOP;
END $$;

SELECT count(*), sum(v), sum(id) FROM s1;

DO $$ BEGIN FOR i IN 1..400 LOOP UPDATE s1 SET v = v + 1 WHERE id = 20000 - i; UPDATE s1 SET v = v - 1 WHERE id = 20000 - i; END LOOP; INSERT INTO s1 VALUES (19999, 1); END $$;

DO $$ BEGIN FOR i IN 1..400 LOOP UPDATE s1 SET v = v + 1 WHERE id = 20000 - i; END LOOP; INSERT INTO s1 VALUES (19999, 1); EXCEPTION WHEN unique_violation THEN RAISE NOTICE '% %', SQLERRM, (SELECT sum(v) FROM s1); END $$;

SELECT count(*), sum(v), sum(id) FROM s1;

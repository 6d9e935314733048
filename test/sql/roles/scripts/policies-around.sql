-- Policies that read other tables, views, functions that tell, roles and settings.

CREATE ROLE a_ann

CREATE ROLE a_ben

CREATE ROLE a_lib

CREATE TABLE members (who text, room int)

CREATE TABLE rooms (id int PRIMARY KEY, name text)

CREATE TABLE posts (id int PRIMARY KEY, room int, secret numeric, body text)

INSERT INTO members VALUES ('a_ann', 1), ('a_ann', 2), ('a_ben', 2)

INSERT INTO rooms VALUES (1, 'one'), (2, 'two'), (3, 'three')

INSERT INTO posts SELECT i, i % 3 + 1, i, 'post ' || i FROM generate_series(1, 12) i

GRANT SELECT ON members, rooms TO a_ann, a_ben

GRANT ALL ON posts TO a_ann, a_ben, a_lib

ALTER TABLE posts ENABLE ROW LEVEL SECURITY

ALTER TABLE rooms ENABLE ROW LEVEL SECURITY

CREATE POLICY joined ON posts USING (room IN (SELECT m.room FROM members m WHERE m.who = current_user))

CREATE POLICY entered ON rooms USING (EXISTS (SELECT 1 FROM members WHERE members.room = rooms.id AND who = current_user))

SELECT policyname, qual FROM pg_policies ORDER BY policyname

SET ROLE a_ann

SELECT id FROM posts ORDER BY id

SELECT r.name, count(*) FROM rooms r JOIN posts p ON p.room = r.id GROUP BY r.name ORDER BY r.name

SELECT r.name, p.id FROM rooms r LEFT JOIN posts p ON p.room = r.id AND p.id < 4 ORDER BY r.name, p.id

SELECT id FROM posts WHERE room = 3

SELECT id FROM posts WHERE id = 2

SELECT id FROM posts WHERE id = 3

INSERT INTO posts VALUES (20, 1, 1, 'mine')

INSERT INTO posts VALUES (21, 3, 1, 'theirs')

UPDATE posts SET room = 3 WHERE id = 20

UPDATE posts SET room = 2 WHERE id = 20

SET ROLE a_lib

SELECT id FROM posts

RESET ROLE

SET ROLE a_ben

SELECT id FROM posts ORDER BY id

SELECT (SELECT count(*) FROM posts), EXISTS (SELECT FROM posts WHERE room = 1)

WITH p AS (SELECT * FROM posts) SELECT count(*) FROM p

SELECT count(*) FROM posts a, posts b WHERE a.id = b.id

SELECT id FROM posts UNION SELECT id + 100 FROM posts ORDER BY 1

-- What could tell of rows comes after the policies.

SELECT id FROM posts WHERE 1 / (id - 3) > -100 ORDER BY id

SELECT id FROM posts WHERE (body || 'x')::text <> '' AND 10 / (room - 1) > 0 ORDER BY id

SELECT count(*) FROM posts WHERE CASE WHEN room = 1 THEN 1 / 0 > 0 ELSE true END

SELECT id FROM posts WHERE 1 / (secret - 3) > -100 ORDER BY id

SELECT a.id FROM posts a JOIN posts b ON a.id = b.id AND 1 / (b.id - 3) > -100 ORDER BY 1

SELECT max(id) FROM posts WHERE 1 / (id - 12) > -100

DELETE FROM posts WHERE 1 / (id - 3) < -100

UPDATE posts SET body = body WHERE 1 / (id - 3) < -100

RESET ROLE

-- Policies that need each other.

CREATE TABLE ring_a (a int)

CREATE TABLE ring_b (b int)

GRANT ALL ON ring_a, ring_b TO a_ann

ALTER TABLE ring_a ENABLE ROW LEVEL SECURITY

ALTER TABLE ring_b ENABLE ROW LEVEL SECURITY

CREATE POLICY ring ON ring_a USING (a IN (SELECT b FROM ring_b))

CREATE POLICY ring ON ring_b USING (b IN (SELECT a FROM ring_a))

SELECT * FROM ring_a

SET ROLE a_ann

SELECT * FROM ring_a

INSERT INTO ring_b VALUES (1)

DELETE FROM ring_b

RESET ROLE

DROP POLICY ring ON ring_b

CREATE POLICY self ON ring_b USING (b > (SELECT count(*) FROM ring_b))

SET ROLE a_ann

SELECT * FROM ring_b

RESET ROLE

DROP TABLE members

DROP TABLE ring_b

DROP TABLE ring_a, ring_b

-- Views.

GRANT CREATE ON SCHEMA public TO a_ben

SET ROLE a_ben

CREATE VIEW seen AS SELECT id, room FROM posts

CREATE VIEW asked WITH (security_invoker) AS SELECT id, room FROM posts

CREATE VIEW over_asked AS SELECT * FROM asked

GRANT ALL ON seen, asked, over_asked TO a_ann

RESET ROLE

CREATE VIEW everything AS SELECT id, room FROM posts

GRANT ALL ON everything TO a_ann

SET ROLE a_ann

SELECT id FROM seen ORDER BY id

SELECT id FROM asked ORDER BY id

SELECT id FROM over_asked ORDER BY id

SELECT count(*) FROM everything

UPDATE seen SET room = 3 WHERE id = 1

UPDATE asked SET room = 1 WHERE id = 1

UPDATE everything SET room = 3 WHERE id = 20

INSERT INTO seen VALUES (30, 1)

INSERT INTO seen VALUES (30, 3)

INSERT INTO asked VALUES (30, 3)

INSERT INTO everything VALUES (31, 3)

RESET ROLE

SELECT relname, reloptions FROM pg_class WHERE relname IN ('seen', 'asked') ORDER BY 1

ALTER VIEW asked RESET (security_invoker)

ALTER VIEW seen SET (security_barrier = true, security_invoker = true)

SELECT relname, reloptions FROM pg_class WHERE relname IN ('seen', 'asked') ORDER BY 1

SET ROLE a_ann

SELECT count(*) FROM seen

SELECT count(*) FROM asked

RESET ROLE

CREATE VIEW wrong WITH (security_invoker = maybe) AS SELECT 1

CREATE VIEW wrong WITH (security_nothing) AS SELECT 1

-- A view that holds rows back, and one that does not.

CREATE TABLE people (id int, hidden bool)

INSERT INTO people VALUES (1, false), (2, true), (3, false)

CREATE VIEW shown WITH (security_barrier) AS SELECT id FROM people WHERE NOT hidden

GRANT SELECT ON shown TO a_ann

SET ROLE a_ann

SELECT id FROM shown WHERE 1 / (id - 2) <> 0 ORDER BY id

SELECT s.id FROM shown s JOIN shown t ON s.id = t.id AND 1 / (t.id - 2) <> 0 ORDER BY 1

SELECT id FROM shown WHERE id = 2

RESET ROLE

-- Functions run as whom they say.

CREATE FUNCTION all_posts() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM posts'

CREATE FUNCTION my_posts() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM posts'

SET ROLE a_ann

SELECT all_posts() > my_posts(), my_posts() = (SELECT count(*) FROM posts)

PREPARE counted AS SELECT count(*) FROM posts

EXECUTE counted

SET ROLE a_ben

EXECUTE counted

RESET ROLE

EXECUTE counted

DEALLOCATE counted

-- Settings in conditions.

CREATE TABLE tenants (tenant int, v text)

INSERT INTO tenants VALUES (1, 'x'), (2, 'y')

GRANT ALL ON tenants TO a_ann

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY

CREATE POLICY tenant ON tenants USING (tenant = current_setting('app.tenant')::int)

SET ROLE a_ann

SELECT * FROM tenants

SET app.tenant = 1

SELECT * FROM tenants

SET app.tenant = 2

SELECT * FROM tenants

INSERT INTO tenants VALUES (1, 'z')

RESET ROLE

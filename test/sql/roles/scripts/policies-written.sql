-- What policies ask of rows that are written.

CREATE ROLE w_ann

CREATE ROLE w_adder

CREATE TABLE notes (id int PRIMARY KEY, owner text DEFAULT current_user, n int CHECK (n < 100), word text UNIQUE)

INSERT INTO notes VALUES (1, 'w_ann', 1, 'a'), (2, 'other', 2, 'b'), (3, 'w_ann', 3, 'c')

GRANT ALL ON notes TO w_ann

GRANT INSERT ON notes TO w_adder

GRANT SELECT (id) ON notes TO w_adder

ALTER TABLE notes ENABLE ROW LEVEL SECURITY

CREATE POLICY seen ON notes FOR SELECT USING (owner = current_user)

CREATE POLICY added ON notes FOR INSERT WITH CHECK (n < 50)

CREATE POLICY set ON notes FOR UPDATE USING (n < 40) WITH CHECK (n < 45)

CREATE POLICY taken ON notes FOR DELETE USING (n > 2)

CREATE POLICY not_seven ON notes AS RESTRICTIVE FOR INSERT WITH CHECK (id <> 7)

CREATE POLICY not_eight ON notes AS RESTRICTIVE USING (id <> 8)

SET ROLE w_ann

INSERT INTO notes VALUES (10, 'w_ann', 10, 'j')

INSERT INTO notes VALUES (11, 'w_ann', 60, 'k')

INSERT INTO notes VALUES (11, 'w_ann', 200, 'k')

INSERT INTO notes VALUES (7, 'w_ann', 1, 'k')

INSERT INTO notes VALUES (8, 'w_ann', 1, 'k')

INSERT INTO notes VALUES (12, 'else', 1, 'l')

INSERT INTO notes VALUES (13, 'else', 1, 'm') RETURNING id

INSERT INTO notes (id, n) VALUES (14, 1) RETURNING id, owner

INSERT INTO notes SELECT 20 + i, 'w_ann', i, 's' || i FROM generate_series(48, 51) i

INSERT INTO notes VALUES (null, 'w_ann', 60, 'k')

INSERT INTO notes VALUES (1, 'w_ann', 1, 'z')

INSERT INTO notes VALUES (1, 'w_ann', 1, 'z') ON CONFLICT DO NOTHING

INSERT INTO notes VALUES (2, 'w_ann', 1, 'z') ON CONFLICT DO NOTHING

INSERT INTO notes VALUES (2, 'w_ann', 1, 'z') ON CONFLICT (id) DO NOTHING

INSERT INTO notes VALUES (2, 'w_ann', 60, 'z') ON CONFLICT DO NOTHING

INSERT INTO notes VALUES (1, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET n = 20 RETURNING *

INSERT INTO notes VALUES (2, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET n = 20

INSERT INTO notes VALUES (1, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET n = 47

INSERT INTO notes VALUES (1, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET owner = 'lost'

INSERT INTO notes VALUES (2, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET n = 1 / (notes.n - 2)

INSERT INTO notes VALUES (2, 'w_ann', 1, 'z') ON CONFLICT (id) DO UPDATE SET n = 20 WHERE notes.n > 5

UPDATE notes SET n = 44 WHERE id = 3

UPDATE notes SET n = 5 WHERE id = 3

UPDATE notes SET n = 46 WHERE id = 1

UPDATE notes SET owner = 'lost' WHERE id = 1

UPDATE notes SET owner = 'lost'

UPDATE notes SET n = n + 1 RETURNING id, n

UPDATE notes SET n = o.n FROM notes o WHERE o.id = notes.id

DELETE FROM notes WHERE id = 12

DELETE FROM notes WHERE n < 3

DELETE FROM notes WHERE id = 14 RETURNING *

SELECT id FROM notes ORDER BY id FOR UPDATE

SELECT id FROM notes ORDER BY id FOR SHARE

SET ROLE w_adder

INSERT INTO notes VALUES (30, 'w_adder', 1, 'ad')

INSERT INTO notes VALUES (31, 'else', 1, 'ae')

INSERT INTO notes VALUES (32, 'else', 1, 'af') RETURNING id

INSERT INTO notes VALUES (33, 'w_adder', 1, 'ag') RETURNING id

INSERT INTO notes VALUES (33, 'w_adder', 1, 'ag') ON CONFLICT (id) DO NOTHING

UPDATE notes SET n = 1

RESET ROLE

SELECT * FROM notes ORDER BY id

UPDATE notes SET owner = 'w_ann' WHERE id IN (1, 3, 10, 12, 14)

-- MERGE

CREATE TABLE given (id int, owner text, n int)

INSERT INTO given VALUES (1, 'w_ann', 5), (2, 'w_ann', 6), (3, 'w_ann', 7), (40, 'w_ann', 8)

GRANT ALL ON given TO w_ann

SET ROLE w_ann

MERGE INTO notes t USING given s ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = s.n

MERGE INTO notes t USING given s ON t.id = s.id AND t.id <> 3 AND s.id <> 3 WHEN MATCHED THEN UPDATE SET n = s.n

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED THEN UPDATE SET n = 46

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED THEN DELETE

UPDATE notes SET n = 2 WHERE id = 1

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED THEN DELETE

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED AND t.n > 5 THEN DELETE

MERGE INTO notes t USING given s ON t.id = s.id WHEN NOT MATCHED AND s.id = 40 THEN INSERT VALUES (s.id, s.owner, s.n, 'merged')

MERGE INTO notes t USING given s ON t.id = s.id + 1 WHEN NOT MATCHED AND s.id = 40 THEN INSERT VALUES (s.id + 1, s.owner, 51, 'merged too')

MERGE INTO notes t USING given s ON t.id = s.id + 1 WHEN NOT MATCHED AND s.id = 40 THEN INSERT VALUES (7, s.owner, 1, 'merged too')

MERGE INTO notes t USING given s ON t.id = s.id + 1 WHEN NOT MATCHED AND s.id = 40 THEN INSERT VALUES (41, 'else', 1, 'merged too')

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED THEN UPDATE SET owner = 'lost'

MERGE INTO notes t USING given s ON t.id = s.id AND t.id = 1 WHEN MATCHED THEN DO NOTHING

RESET ROLE

SELECT * FROM notes ORDER BY id

-- Nothing is computed twice.

CREATE SEQUENCE steps

GRANT ALL ON steps TO w_ann

SET ROLE w_ann

UPDATE notes SET n = nextval('steps') WHERE id = 1

SELECT n FROM notes WHERE id = 1

INSERT INTO notes VALUES (50, 'w_ann', nextval('steps'), 'st')

SELECT n FROM notes WHERE id = 50

INSERT INTO notes VALUES (50, 'w_ann', 1, 'st') ON CONFLICT (id) DO UPDATE SET n = nextval('steps')

SELECT n FROM notes WHERE id = 50

RESET ROLE

-- References are checked whatever policies say.

CREATE TABLE parts (id int PRIMARY KEY, note int REFERENCES notes ON DELETE CASCADE)

GRANT ALL ON parts TO w_ann

ALTER TABLE parts ENABLE ROW LEVEL SECURITY

CREATE POLICY none ON parts USING (false) WITH CHECK (true)

SET ROLE w_ann

INSERT INTO parts VALUES (1, 2)

INSERT INTO parts VALUES (2, 999)

INSERT INTO parts VALUES (3, 3)

SELECT * FROM parts

DELETE FROM notes WHERE id = 3

RESET ROLE

SELECT * FROM parts

DROP TABLE parts



DROP TABLE notes, given

/* @name AllUsers */
SELECT * FROM users;
/* @name UserById */
SELECT id, name AS "name!", mood, tags, age, meta, made, score FROM users WHERE id = :id! AND (mood = :mood OR :mood IS NULL);
/* @name InsertUsers
   @param users -> ((name!, mood, tags)...)
*/
INSERT INTO users (name, mood, tags) VALUES :users RETURNING id, mood;
/* @name Joined */
SELECT u.name, p.title, count(*) OVER () AS n, coalesce(p.shown, false) AS shown, s.title AS view_title FROM users u LEFT JOIN posts p ON p.author = u.id LEFT JOIN shown s ON s.id = p.id WHERE u.id IN (SELECT author FROM posts WHERE title LIKE :title);
/* @name ByIds
   @param ids -> (...)
*/
SELECT id FROM posts WHERE id IN :ids;
/* @name Update */
UPDATE users SET meta = :meta, score = score + :more::numeric WHERE made < :before RETURNING users.*;
/* @name Upsert */
INSERT INTO posts (author, title) VALUES (:author, :title) ON CONFLICT (id) DO UPDATE SET title = excluded.title RETURNING (xmax = 0) AS inserted;
/* @name Wrong */
SELECT nothing FROM users;

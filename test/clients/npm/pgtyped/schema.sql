CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE TABLE users (id serial PRIMARY KEY, name varchar(40) NOT NULL, mood mood, tags text[], age positive, meta jsonb, made timestamptz NOT NULL DEFAULT now(), score numeric(8, 2));
COMMENT ON COLUMN users.age IS 'in years';
CREATE TABLE posts (id bigserial PRIMARY KEY, author int NOT NULL REFERENCES users, title text NOT NULL, shown bool);
CREATE VIEW shown AS SELECT id, title FROM posts WHERE shown;

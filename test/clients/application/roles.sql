-- Roles of the application: what stands outside of a database and is not part of its dump.
CREATE ROLE app_owner NOLOGIN;
CREATE ROLE app_reader NOLOGIN;
CREATE ROLE app_writer NOLOGIN INHERIT;
CREATE ROLE "App User" LOGIN CONNECTION LIMIT 5 VALID UNTIL '2030-01-01 00:00:00+00';
CREATE ROLE auditor LOGIN BYPASSRLS NOINHERIT CREATEROLE;
GRANT app_reader TO app_writer;
GRANT app_writer TO "App User" WITH ADMIN OPTION;
ALTER ROLE auditor SET search_path TO audit, public;
ALTER ROLE "App User" SET statement_timeout TO '30s';

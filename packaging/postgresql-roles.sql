-- Rights on a profile store in PostgreSQL: who delivers may insert and nothing
-- else, who exports may read and nothing else. inlay_symbolizer is for an
-- exporter that may also keep the profiles it made for the next export; other
-- exports then believe it.
--
--   createdb profiles
--   llvm-profstore init --store postgresql:///profiles
--   psql -d profiles -f postgresql-roles.sql
--
-- Run by the owner of the tables, with the right to make roles; may be run
-- again, and must be after llvm-profstore migrate. The roles cannot log in: make users of your own and put them in,
--
--   CREATE ROLE web LOGIN PASSWORD '...' IN ROLE inlay_collector;
--   CREATE ROLE build LOGIN PASSWORD '...' IN ROLE inlay_exporter;
--
-- and give them their passwords by ~/.pgpass or a service file.
-- llvm-profstore init, migrate and gc are for the owner.

\set ON_ERROR_STOP on
BEGIN;

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'inlay_collector') THEN
    CREATE ROLE inlay_collector NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'inlay_exporter') THEN
    CREATE ROLE inlay_exporter NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'inlay_symbolizer') THEN
    CREATE ROLE inlay_symbolizer NOLOGIN IN ROLE inlay_exporter;
  END IF;
END
$$;

REVOKE ALL ON SCHEMA inlay FROM PUBLIC, inlay_collector, inlay_exporter,
  inlay_symbolizer;
REVOKE ALL ON ALL TABLES IN SCHEMA inlay
  FROM PUBLIC, inlay_collector, inlay_exporter,
  inlay_symbolizer;
GRANT USAGE ON SCHEMA inlay TO inlay_collector, inlay_exporter;

-- When a capture was delivered and on which day it counts is for the database
-- to say: no right on these columns.
GRANT INSERT ON inlay.application, inlay.host, inlay.version,
  inlay.binary_file, inlay.event, inlay.capture_samples TO inlay_collector;
GRANT INSERT (id, content, format, application, version, host, started,
  duration, samples, lost) ON inlay.capture TO inlay_collector;

GRANT SELECT ON ALL TABLES IN SCHEMA inlay TO inlay_exporter;
GRANT INSERT ON inlay.symbolized TO inlay_symbolizer;

COMMIT;

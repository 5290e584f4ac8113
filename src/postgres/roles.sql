-- The roles of PostgreSQL, for an administrator to run on a server before the first migration, and again with a release
-- that says so: it keeps what is there. None has a password yet, so none can log in: ALTER ROLE … PASSWORD. What each may
-- do is said by the migrations.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    -- owns the database, and migrates it
    'booking_owner',
    -- as which our processes log in
    'booking_api', 'booking_worker', 'booking_operator',
    -- as which the API also logs in, to read for one partner at a time
    'booking_partner',
    -- for people who look into the logs
    'booking_auditor'
  ] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', name);
    END IF;
    -- to compile a statement takes longer than any of ours does (docs/decisions/0130)
    EXECUTE format('ALTER ROLE %I SET jit = off', name);
  END LOOP;
END $$;

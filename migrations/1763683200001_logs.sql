-- Up Migration

-- Who read what, and who was refused: a row is there before the answer is. Ids, codes and networks; nothing personal.
CREATE TABLE access_log (
  -- Its place, without gaps; and the hashes of the row before and of this one.
  number bigint NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  at timestamptz(3) NOT NULL,
  process text NOT NULL CHECK (process IN ('api', 'worker', 'operator_api')),
  -- AccessEntry of src/postgres/access-log.ts
  who text NOT NULL CHECK (who IN ('partner_key', 'partner_user', 'customer', 'operator', 'clinic', 'twilio', 'service', 'nobody')),
  -- The id of the key or user, the customer's id (persons), the operator's subject, or the clinic's id.
  who_id text,
  -- Of operators, whom the login names; what is deleted can be looked up nowhere else.
  who_name text,
  partner_id text,
  -- The operation of the API or the operator API, the customer's page, or the message.
  action text NOT NULL,
  -- `done`, or the code of the refusal.
  outcome text NOT NULL,
  -- All that were in the answer. No reference: they may be asked for without being there.
  case_ids uuid[] NOT NULL,
  -- From where (IPv4 /24, IPv6 /48).
  network cidr,
  -- Of what a clinic is sent, the booking's.
  request_id uuid,
  PRIMARY KEY (number, at)
) PARTITION BY RANGE (at);
CREATE INDEX access_log_cases ON access_log USING gin (case_ids);
CREATE INDEX access_log_who ON access_log (who_id, at);
CREATE INDEX access_log_network ON access_log (network, at);

-- The last row of each log: who adds to one waits here for who does so at the same time.
CREATE TABLE log_heads (
  log text PRIMARY KEY,
  number bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT ''
) WITH (fillfactor = 10);
INSERT INTO log_heads (log) VALUES ('access_log'), ('operator_log'), ('operator_log_outcomes');

-- What is in a row, its place, and which came before it. A column that is added later changes no hash of rows without it.
CREATE FUNCTION log_hash(number bigint, previous bytea, entry anyelement) RETURNS bytea LANGUAGE sql STABLE
  SET timezone = 'UTC' SET bytea_output = 'hex'
  AS $$ SELECT sha256(int8send(number) || previous
    || convert_to(jsonb_strip_nulls(to_jsonb(entry) - '{number,previous,hash}'::text[])::text, 'UTF8')) $$;

-- As the owner: who writes the log has no other way to what chains it.
CREATE FUNCTION chain_log() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE log_heads AS head SET number = head.number + 1, hash = log_hash(head.number + 1, head.hash, NEW)
    WHERE log = TG_ARGV[0] RETURNING WITH (OLD AS before, NEW AS after) after.number, before.hash, after.hash
    INTO STRICT NEW.number, NEW.previous, NEW.hash;
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON operator_log FOR EACH ROW EXECUTE FUNCTION chain_log('operator_log');
CREATE TRIGGER chain BEFORE INSERT ON operator_log_outcomes
  FOR EACH ROW EXECUTE FUNCTION chain_log('operator_log_outcomes');

-- Adds rows of the access log to its chain, and says what nobody else knows of each. As the owner: there is no other way
-- to it. A session plans what is in a function once, and its call, of a single value, costs next to nothing to plan each
-- time; a trigger would cost as much again. `soon`: nobody waits for the disk (0120).
CREATE FUNCTION note_access(rows jsonb, soon boolean) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  -- of this transaction alone
  commit text := CASE WHEN soon THEN set_config('synchronous_commit', 'off', true) END;
  entry access_log;
  kept jsonb := '[]';
BEGIN
  FOR i IN 0 .. jsonb_array_length(rows) - 1 LOOP
    entry := jsonb_populate_record(NULL::access_log, rows -> i);
    entry.at := now();
    entry.network := set_masklen(entry.network, CASE family(entry.network) WHEN 4 THEN 24 ELSE 48 END);
    UPDATE log_heads AS head SET number = head.number + 1, hash = log_hash(head.number + 1, head.hash, entry)
      WHERE log = 'access_log' RETURNING WITH (OLD AS before, NEW AS after) after.number, before.hash, after.hash
      INTO STRICT entry.number, entry.previous, entry.hash;
    INSERT INTO access_log SELECT entry.*;
    kept := kept || jsonb_build_object('number', entry.number, 'at', entry.at, 'network', entry.network,
      'hash', encode(entry.hash, 'hex'));
  END LOOP;
  RETURN kept;
END $$;

-- Has a partition ready for each month of the year to come, and drops those that are older than so many months. As the
-- owner, with a bound of its own: the worker, which asks for it, can drop nothing younger.
CREATE FUNCTION keep_access_log(months integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  this_month date := date_trunc('month', now());
  month date;
  partition text;
BEGIN
  IF months NOT BETWEEN 6 AND 120 THEN
    RAISE EXCEPTION 'the access log is kept for 6 to 120 months';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('keep_access_log', 0));
  FOR i IN 0..12 LOOP
    month := this_month + make_interval(months => i);
    partition := 'access_log_' || to_char(month, 'YYYY_MM');
    IF to_regclass(partition) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF access_log FOR VALUES FROM (%L) TO (%L)',
        partition, month::timestamptz, (month + interval '1 month')::timestamptz);
    END IF;
  END LOOP;
  FOR partition IN
    SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'access_log'::regclass
      AND inhrelid::regclass::text < 'access_log_' || to_char(this_month - make_interval(months => months), 'YYYY_MM')
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
  END LOOP;
END $$;
SELECT keep_access_log(24);

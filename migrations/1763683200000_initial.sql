-- Up Migration

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Who hands cases over, and with which keys -------------------------------------------------------------------------

CREATE TABLE partners (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,49}$'),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when an operator keeps its keys and users out; its cases go on.
  suspended_at timestamptz(3),
  -- By which references are hashed before Temporal gets them; null where it shows them as they are.
  reference_key text,
  -- The number of the partner's newest event. Taken by the last statement of each transaction that tells something,
  -- so that numbers become visible in their order and nobody who follows passes one over. A restore lets it jump.
  last_event bigint NOT NULL DEFAULT 0,
  -- For how many months after a case is archived its personal data is kept; null: as long as the service says.
  retention_months integer CHECK (retention_months BETWEEN 1 AND 120)
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  partner_id text NOT NULL REFERENCES partners,
  name text NOT NULL,
  -- SHA-256 of the whole key: it is random enough (256 bits) not to need a slow hash.
  key_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  -- The end that it was created with.
  expires_at timestamptz(3),
  -- When it ends because another one was made in its place.
  replaced_until timestamptz(3),
  revoked_at timestamptz(3),
  -- The beginning of a key, by which people tell it from others.
  hint text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{cases:read,cases:write}'
    CHECK (scopes <@ '{cases:read,cases:write}' AND cardinality(scopes) > 0),
  -- CIDR; null: from everywhere.
  allowed_networks text[] CHECK (cardinality(allowed_networks) > 0)
);
CREATE INDEX ON api_keys (partner_id);

-- Who manages a partner's keys --------------------------------------------------------------------------------------

CREATE TABLE partner_users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  partner_id text NOT NULL REFERENCES partners,
  email text NOT NULL,
  -- Null while an activation is awaited: nobody logs in then.
  password_hash text,
  -- SHA-256 of the one-time token. One column, so that a new activation voids the one before, and using it empties it.
  activation_hash bytea UNIQUE,
  activation_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  -- Since when an operator keeps them out.
  suspended_at timestamptz(3),
  -- The secret of their one-time codes (TOTP), sealed by the API, and the half minute whose code was used last.
  one_time_secret text,
  one_time_step bigint,
  CHECK ((activation_hash IS NULL) = (activation_expires_at IS NULL))
);
CREATE UNIQUE INDEX partner_users_email ON partner_users (lower(email));
CREATE INDEX ON partner_users (partner_id);

CREATE TABLE access_tokens (
  -- SHA-256 of the token, which is as random as a key.
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES partner_users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON access_tokens (user_id);

-- From where they log in (IPv4 /24, IPv6 /48): a network that is not here is news to them.
CREATE TABLE partner_user_networks (
  user_id uuid NOT NULL REFERENCES partner_users ON DELETE CASCADE,
  network cidr NOT NULL,
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, network)
);

-- Wrong passwords and codes of the last hours, of whatever account was tried: SHA-256 of its address in lower case.
CREATE TABLE login_failures (
  account bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON login_failures (account, at);
CREATE INDEX ON login_failures (at);

-- What users are to be told of their accounts; a worker sends it and deletes it.
CREATE TABLE account_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES partner_users ON DELETE CASCADE,
  -- AccountNews of src/postgres/account-mails.ts
  about jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON account_mails (due_at);

-- Who treats, and what ----------------------------------------------------------------------------------------------

CREATE TABLE treatment_types (
  code text PRIMARY KEY CHECK (code ~ '^[a-z][a-z_]{0,49}$'),
  name_nb text NOT NULL,
  name_en text NOT NULL,
  -- A free time that is shorter is of no use for the treatment. Null: any length will do.
  minimum_minutes integer CHECK (minimum_minutes BETWEEN 1 AND 480)
);
INSERT INTO treatment_types (code, name_nb, name_en) VALUES
  ('psychology', 'Psykolog', 'Psychologist'),
  ('physiotherapy', 'Fysioterapi', 'Physiotherapy'),
  ('chiropractic', 'Kiropraktor', 'Chiropractor');

CREATE TABLE providers (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,49}$'),
  name text NOT NULL,
  kind text NOT NULL,
  base_url text NOT NULL,
  -- How we show the provider's booking system who we are: src/postgres/provider-connection.ts has the shapes. It holds
  -- NAMES of environment variables: secrets stay out of the database.
  connection jsonb NOT NULL,
  -- How it is asked, where that is not as usual: limits of time, and what its times are for.
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When its calendar was last compared with all of our appointments there.
  watched_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Behind which appointment (its end and booking) the next look goes on, where one had not the time for all of them.
  watched_until timestamptz(3),
  watched_booking uuid,
  -- What it answered last where that failed since.
  unwatched_answer text,
  -- Since when one of our processes leaves it alone, and after which answer: until it answers that one, or is compared.
  circuit_open_since timestamptz(3),
  circuit_answer text
);

CREATE TABLE provider_treatments (
  provider_id text NOT NULL REFERENCES providers,
  treatment_type text NOT NULL REFERENCES treatment_types,
  PRIMARY KEY (provider_id, treatment_type)
);

-- What was found at providers that somebody should know of: counts by kind, and nothing of what stood there.
CREATE TABLE provider_findings (
  -- No reference: what is noted of a provider must not depend on its being registered still.
  provider_id text NOT NULL,
  -- One of src/domain/findings.ts.
  kind text NOT NULL,
  -- What it was about, where the kind alone does not say: a type of resource, a code.
  about text NOT NULL DEFAULT '',
  count bigint NOT NULL,
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  PRIMARY KEY (provider_id, kind, about)
);

-- Cases -------------------------------------------------------------------------------------------------------------

CREATE TABLE cases (
  id uuid PRIMARY KEY,
  partner_id text NOT NULL REFERENCES partners,
  -- A keyed hash of the partner's reference, to look for it by (src/postgres/sealing.ts); null once the case is erased.
  reference_hash bytea,
  -- What Temporal shows of the reference, where the partner asks for a hash.
  hashed_reference text,
  -- Reference, names, addresses and injury (SealedCase of src/postgres/case-row.ts), sealed by the case's data key; null
  -- once it is erased, and so is what else here tells of a person.
  sealed bytea,
  erased_at timestamptz(3),
  -- Since when the law or a dispute keeps it from being erased, and which operator said so.
  legal_hold_at timestamptz(3),
  legal_hold_by text,
  treatment_type text NOT NULL REFERENCES treatment_types,
  created_at timestamptz(3) NOT NULL,
  -- Null until the starter has started the workflow: the row is the outbox.
  workflow_started_at timestamptz(3),
  -- Where its trace began, as W3C Trace Context writes it: whoever starts the workflow goes on with it.
  traceparent text,
  -- When a start last failed: those behind it come first then, so that one which can't be started blocks no other.
  start_failed_at timestamptz(3),
  -- The projection of the workflow's state. Written only where the revision grows.
  revision integer NOT NULL DEFAULT 0,
  status text NOT NULL,
  booking_deadline date NOT NULL,
  booking_id uuid,
  state jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- In which the customer reads our pages, so that messages can be in it. Bokmål for who never said otherwise.
  customer_language text NOT NULL DEFAULT 'nb' CHECK (customer_language IN ('nb', 'nn', 'en')),
  -- How the workflow of a case that is not over has ended, or that it is behind its readers: missing, terminated, failed,
  -- timed_out, cancelled, behind. An operator starts it again.
  workflow_lost text,
  workflow_lost_at timestamptz(3),
  CHECK ((sealed IS NULL) = (erased_at IS NOT NULL) AND (reference_hash IS NULL) = (erased_at IS NOT NULL)),
  CHECK ((legal_hold_at IS NULL) = (legal_hold_by IS NULL) AND (legal_hold_at IS NULL OR erased_at IS NULL))
);
-- One live case per reference and treatment.
CREATE UNIQUE INDEX cases_live_reference ON cases (partner_id, reference_hash, treatment_type)
  WHERE status NOT IN ('recalled', 'archived');
CREATE INDEX cases_unstarted ON cases (start_failed_at NULLS FIRST, created_at) WHERE workflow_started_at IS NULL;
-- One index for each filter of `GET /cases`, so that what is rare is not looked for among all of a partner's cases;
-- test/postgres/cases.test.ts checks the plan of every filter.
-- In the order of the list: a page is read off, without a sort.
CREATE INDEX cases_newest ON cases (partner_id, created_at DESC, id DESC);
CREATE INDEX cases_by_status ON cases (partner_id, status, created_at DESC, id DESC);
CREATE INDEX cases_by_treatment ON cases (partner_id, treatment_type, created_at DESC, id DESC);
-- Few have the same reference, and few changed lately: these are sorted.
CREATE INDEX cases_by_reference ON cases (partner_id, reference_hash);
CREATE INDEX cases_by_change ON cases (partner_id, updated_at);
-- Whom Temporal shows by a hash: operators look for it.
CREATE INDEX cases_hashed_reference ON cases (hashed_reference) WHERE hashed_reference IS NOT NULL;
-- Whose customers wait for an earlier time, the longest first.
CREATE INDEX cases_waiting ON cases (treatment_type, (state -> 'waitlist' ->> 'since'))
  WHERE state -> 'waitlist' ->> 'since' IS NOT NULL;
-- Cases with a slot that was still busy after its release: few at any time.
CREATE INDEX cases_not_free ON cases (id) WHERE state -> 'bookings' @> '[{"unverified": true}]';
-- Held against their workflows, in rounds.
CREATE INDEX cases_to_check ON cases (id) WHERE workflow_started_at IS NOT NULL AND status <> 'archived';
CREATE INDEX cases_workflow_lost ON cases (workflow_lost_at) WHERE workflow_lost IS NOT NULL;
-- What the sweep for overdue work looks at every few seconds (src/postgres/attention.ts): few at any time.
CREATE INDEX cases_untransferred ON cases (id)
  WHERE status = 'booked' AND state -> 'bookings' @> '[{"transferredAt": null}]';
-- Whose time to be erased comes, the oldest first.
CREATE INDEX cases_to_erase ON cases (partner_id, updated_at)
  WHERE status = 'archived' AND erased_at IS NULL AND legal_hold_at IS NULL;
CREATE INDEX cases_awaited ON cases (booking_deadline) WHERE status = 'pending_patient_action';

-- What a case was found to be when it was last held against its workflow: run, length of its history, revision and
-- fingerprint of the row. While that is the same, nobody asks the workflow. A table of its own, and no index on what
-- changes: a write costs a few bytes, and none of the indexes of cases.
CREATE TABLE case_checks (
  case_id uuid PRIMARY KEY REFERENCES cases,
  checked_as text NOT NULL
) WITH (fillfactor = 70);
-- How far the round over all cases has come, a page a minute: one row.
CREATE TABLE reconcile_place (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  after uuid
);
INSERT INTO reconcile_place DEFAULT VALUES;

-- By what each case's personal data is sealed, wrapped by a master key that the database does not have (decision 0099). In a
-- schema of its own, so that backups which are kept for long leave it out: a case whose row is deleted here is erased in
-- all of them.
CREATE SCHEMA keys;
CREATE TABLE keys.data_keys (
  -- No reference: it is written before the case, and a backup has one without the other.
  case_id uuid PRIMARY KEY,
  -- The case's own, so that a lock by partner looks at nothing else (decision 0125).
  partner_id text NOT NULL,
  -- `<id of the master key>:<the data key, sealed>`
  wrapped text NOT NULL
  -- one that is deleted is not to stay in the files until a fifth of all are
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
-- Which cases were erased: here, so that the newest backup of the keys has all of them, and a restored database of older
-- data forgets them again. No reference, and nothing personal.
CREATE TABLE keys.erasures (
  case_id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  why text NOT NULL CHECK (why IN ('request', 'retention')),
  -- Which operator did it; null for the service.
  erased_by text
);
CREATE INDEX erasures_newest ON keys.erasures (at DESC, case_id);
-- Of the hashes by which is searched what is sealed: one row.
CREATE TABLE keys.search_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  wrapped text NOT NULL
);

-- Free text: a workflow gets a text's id, never the text.
CREATE TABLE case_texts (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL CHECK (kind IN ('recall_reason', 'assistance_request')),
  -- The text; and of a request for help how to answer it, and who asks where that is not the customer. Sealed.
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When the workflow was told of a request for help; until then a worker tries again.
  signalled_at timestamptz(3)
);
CREATE INDEX ON case_texts (case_id, created_at);
CREATE INDEX case_texts_unsignalled ON case_texts (created_at)
  WHERE kind = 'assistance_request' AND signalled_at IS NULL;

-- Corrected addresses and names on their way through the workflow, which gets their id: a row is applied to the case by
-- the write that shows the workflow's verdict, and deleted then.
CREATE TABLE case_corrections (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON case_corrections (case_id);

-- People who have logged in, by ids that mean nothing. Only here stands the keyed hash of the eID's own stable claim, and
-- by which secret (IDENTITY_SECRETS): a login makes it anew by the newest, and what knows the person by id notices nothing.
CREATE TABLE persons (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  secret_id text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  -- When they last logged in.
  seen_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON persons (seen_at);

-- Who the customer turned out to be: the first person whose name matched, until an operator unbinds them. Those who
-- were unbound stay in the table, so that it is known who could see the case; and out of the case, until an operator
-- readmits them.
CREATE TABLE case_persons (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  case_id uuid NOT NULL REFERENCES cases,
  person_id uuid NOT NULL REFERENCES persons,
  -- Names and date of birth, as the eID has them.
  sealed bytea NOT NULL,
  bound_at timestamptz(3) NOT NULL DEFAULT now(),
  -- By which operator, and why, in their own words, sealed.
  unbound_at timestamptz(3),
  unbound_by text,
  sealed_reason bytea,
  readmitted_at timestamptz(3),
  readmitted_by text,
  CHECK ((unbound_at IS NULL) = (unbound_by IS NULL) AND (unbound_at IS NULL) = (sealed_reason IS NULL)),
  CHECK ((readmitted_at IS NULL) = (readmitted_by IS NULL) AND (readmitted_at IS NULL OR unbound_at IS NOT NULL))
);
CREATE UNIQUE INDEX case_persons_bound ON case_persons (case_id) WHERE unbound_at IS NULL;
CREATE INDEX ON case_persons (case_id);
CREATE INDEX ON case_persons (person_id);

-- Customers who are logged in. What a session says is in its sealed cookie; here is which of them are not over before
-- their time: a logout deletes the row, and so does it when the person is unbound from a case.
CREATE TABLE customer_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  person_id uuid NOT NULL REFERENCES persons ON DELETE CASCADE,
  started_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON customer_sessions (started_at);
CREATE INDEX ON customer_sessions (person_id);

-- Who somebody is by the hashes of their claim, the first of which is by the newest secret, and kept. As the owner: the API
-- can say who logs in, and give nobody another's cases.
CREATE FUNCTION person_of(newest text, hashes bytea[]) RETURNS uuid LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  one bytea;
  found uuid[];
BEGIN
  -- two first logins at once are of one person, also where one process has a secret more than the other
  FOR one IN SELECT unnest(hashes) AS hash ORDER BY hash LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('person_of ' || encode(one, 'hex'), 0));
  END LOOP;
  SELECT array_agg(id ORDER BY seen_at) INTO found FROM persons WHERE hash = ANY (hashes);
  IF found IS NULL THEN
    INSERT INTO persons (secret_id, hash) VALUES (newest, hashes[1]) RETURNING ARRAY[id] INTO found;
    RETURN found[1];
  END IF;
  -- more than one: processes had no secret in common for a while
  UPDATE case_persons SET person_id = found[1] WHERE person_id = ANY (found[2:]);
  UPDATE customer_sessions SET person_id = found[1] WHERE person_id = ANY (found[2:]);
  DELETE FROM persons WHERE id = ANY (found[2:]);
  UPDATE persons SET secret_id = newest, hash = hashes[1], seen_at = now() WHERE id = found[1];
  RETURN found[1];
END $$;

-- What the registries said of a case's policy and referral, the newest of each kind. The numbers that they were asked
-- by are kept nowhere.
CREATE TABLE case_verifications (
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL CHECK (kind IN ('policy', 'referral')),
  outcome text NOT NULL CHECK (outcome IN ('verified', 'not_verified')),
  reasons text[] NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  valid_from date,
  valid_to date,
  PRIMARY KEY (case_id, kind)
);

-- What may be done so many times per case and day, each time it was: a row is taken before it is done.
CREATE TABLE case_quotas (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL CHECK (kind IN ('resend', 'assistance')),
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON case_quotas (case_id, kind, at);

-- Bookings ----------------------------------------------------------------------------------------------------------

-- What was booked, in words (the workflow holds ids only).
CREATE TABLE bookings (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  provider_id text NOT NULL REFERENCES providers,
  practitioner text NOT NULL,
  location text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('in_person', 'video')),
  -- What else the clinic says of the place and of who treats: SlotDetails of src/domain/slot.ts
  details jsonb NOT NULL,
  during tstzrange NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON bookings (case_id);
-- A provider's coming appointments, the next ones first.
CREATE INDEX bookings_coming ON bookings (provider_id, upper(during), id);

-- No slot is given twice: the constraint decides, not a look beforehand.
CREATE TABLE slot_claims (
  booking_id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  provider_id text NOT NULL,
  practitioner_id text NOT NULL,
  -- The provider's own id of the claimed slot, so that a claim that ended by itself can be released there too.
  slot text NOT NULL,
  during tstzrange NOT NULL,
  -- Null once the case is booked: then only its release ends the claim.
  expires_at timestamptz(3),
  EXCLUDE USING gist (provider_id WITH =, practitioner_id WITH =, during WITH &&)
);
CREATE INDEX ON slot_claims (case_id);
-- Claims that end by themselves, to be released at their providers.
CREATE INDEX slot_claims_ending ON slot_claims (provider_id, expires_at) WHERE expires_at IS NOT NULL;

-- Why a booking is not in the clinic's calendar yet, or not out of it: since when that fails, and what the clinic's
-- system answered last. Deleted once it succeeds.
CREATE TABLE booking_failures (
  booking_id uuid NOT NULL,
  task text NOT NULL CHECK (task IN ('transfer', 'refusal', 'release')),
  case_id uuid NOT NULL REFERENCES cases,
  since timestamptz(3) NOT NULL DEFAULT now(),
  answer text NOT NULL,
  PRIMARY KEY (booking_id, task)
);
CREATE INDEX ON booking_failures (case_id);
CREATE INDEX ON booking_failures (task, since);

-- Messages ----------------------------------------------------------------------------------------------------------

CREATE TABLE notifications (
  -- <case>:<kind>:<channel>:<sequence>
  dedup_id text PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'delivered', 'failed')),
  reason text,
  -- The mail's Message-ID or the SMS's sid.
  reference text,
  at timestamptz(3) NOT NULL,
  -- The number of the message within the case: the same on both channels.
  sequence integer NOT NULL,
  -- Which appointment it is about.
  booking_id uuid,
  -- The version of the case's addresses that it went to.
  contact_version integer NOT NULL,
  -- There was room for it among the recipient's of the day and the partner's of the hour, which is taken.
  counted boolean NOT NULL DEFAULT false,
  -- It was reported as failed after it had left, and the workflow was not told yet; until then a worker tries again.
  unsignalled boolean NOT NULL DEFAULT false,
  -- While it is queued: what its channel answered last, a code; or whose room it waits for (held_recipient, held_partner).
  failure text
);
CREATE INDEX ON notifications (case_id, at);
CREATE INDEX notifications_unsignalled ON notifications (at) WHERE unsignalled;
CREATE INDEX notifications_queued ON notifications (at) WHERE status = 'queued';

-- How many messages have left, by recipient and day, and by partner and hour.
CREATE TABLE message_quotas (
  -- `recipient:<keyed hash of channel and address>` or `partner:<id>`
  key text NOT NULL,
  since timestamptz(3) NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (key, since)
);

-- Takes the room for a message among its partner's of the hour and its recipient's of the day, or of neither: once for each
-- message. Answers with what stands in the way. A function, for the one round trip, and the one plan a session: while a
-- message has its partner's row, all others of that partner wait.
CREATE FUNCTION take_room(message text, recipient text, per_partner integer, per_recipient integer)
  RETURNS TABLE (key text, free_at timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  partner text;
  hour CONSTANT timestamptz := date_trunc('hour', now());
  day CONSTANT timestamptz := date_trunc('day', now(), 'Europe/Oslo');
BEGIN
  UPDATE notifications SET counted = true FROM cases
    WHERE dedup_id = message AND NOT counted AND cases.id = case_id
    RETURNING 'partner:' || partner_id INTO partner;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO message_quotas AS quota (key, since, used) VALUES (partner, hour, 1)
    ON CONFLICT (key, since) DO UPDATE SET used = quota.used + 1 WHERE quota.used < per_partner;
  IF NOT FOUND THEN
    RETURN QUERY VALUES (partner, hour + interval '1 hour');
  ELSE
    INSERT INTO message_quotas AS quota (key, since, used) VALUES (recipient, day, 1)
      ON CONFLICT (key, since) DO UPDATE SET used = quota.used + 1 WHERE quota.used < per_recipient;
    IF FOUND THEN RETURN; END IF;
    UPDATE message_quotas SET used = used - 1 WHERE key = partner AND since = hour;
    RETURN QUERY VALUES (recipient, day + interval '1 day');
  END IF;
  UPDATE notifications SET counted = false WHERE dedup_id = message;
END $$;

-- What needs an operator ---------------------------------------------------------------------------------------------

-- One row for each thing at a time; it stays for 30 days after it was over.
CREATE TABLE attention (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  -- One of src/domain/attention.ts.
  kind text NOT NULL,
  -- Null where it is about a clinic, or a channel of ours.
  case_id uuid REFERENCES cases,
  -- The case's own, which never change: lists go by them.
  partner_id text,
  case_created_at timestamptz(3),
  -- No reference: what is noted of a provider must not depend on its being registered still.
  provider_id text,
  -- What it has in common with all that is settled with it: a clinic, a channel, a partner; else the case itself.
  cause text NOT NULL,
  since timestamptz(3) NOT NULL,
  -- What the counterpart answered, in codes: HTTP 503, smtp_535.
  answer text,
  over_at timestamptz(3),
  -- The operator who works on the case, by name, and since when.
  taken_by text,
  taken_at timestamptz(3),
  -- The case's workflow is to be told, so that Temporal's list shows it.
  unsignalled boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX attention_open ON attention (kind, cause, case_id) NULLS NOT DISTINCT WHERE over_at IS NULL;
CREATE INDEX attention_oldest ON attention (since, id) WHERE over_at IS NULL;
CREATE INDEX attention_by_cause ON attention (kind, cause, since, id) WHERE over_at IS NULL;
CREATE INDEX attention_by_provider ON attention (provider_id, since, id) WHERE over_at IS NULL;
CREATE INDEX attention_by_kind ON attention (kind, since, id) WHERE over_at IS NULL;
CREATE INDEX attention_by_partner ON attention (partner_id, since, id) WHERE over_at IS NULL;
CREATE INDEX attention_of_case ON attention (case_id);
-- Cases that need somebody, the newest first.
CREATE INDEX attention_newest ON attention (case_created_at DESC, case_id DESC) WHERE over_at IS NULL;
CREATE INDEX attention_taken ON attention (taken_by) WHERE over_at IS NULL AND taken_by IS NOT NULL;
CREATE INDEX attention_unsignalled ON attention (id) WHERE unsignalled;
CREATE INDEX attention_over ON attention (over_at) WHERE over_at IS NOT NULL;

-- What the operator is told of it, by each channel for itself: one row while a kind has one cause, with what is to be
-- told next and when; never again (infinity) once it was told that it is over.
CREATE TABLE alerts (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  channel text NOT NULL CHECK (channel IN ('mail', 'webhook')),
  kind text NOT NULL,
  cause text NOT NULL,
  since timestamptz(3) NOT NULL,
  -- How many wait for the same, and of how many the operator was told.
  waiting integer NOT NULL,
  told_waiting integer NOT NULL DEFAULT 0,
  answer text,
  over_at timestamptz(3),
  told integer NOT NULL DEFAULT 0,
  told_at timestamptz(3),
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when the channel does not take it, how often it was tried since, and what it answered last.
  failing_since timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  failure text
);
CREATE UNIQUE INDEX alerts_open ON alerts (channel, kind, cause) WHERE over_at IS NULL;
CREATE INDEX alerts_due ON alerts (channel, due_at);

-- What partners follow ----------------------------------------------------------------------------------------------

CREATE TABLE events (
  -- In the order in which they were written; some are committed later than others behind them.
  place bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  partner_id text NOT NULL REFERENCES partners,
  -- Its place in the partner's feed, given once it is committed by whoever reads next; null until then.
  number bigint,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL REFERENCES cases,
  type text NOT NULL,
  at timestamptz(3) NOT NULL,
  actor text NOT NULL,
  -- With which of the partner's keys it was done. No reference: what was done stays true without the key.
  api_key_id uuid,
  -- The case's own, after it.
  status text NOT NULL,
  booking_id uuid,
  data jsonb NOT NULL
);
CREATE UNIQUE INDEX ON events (partner_id, number) WHERE number IS NOT NULL;
CREATE INDEX ON events (case_id, place);
CREATE INDEX events_unnumbered ON events (partner_id, place) WHERE number IS NULL;

-- Requests ----------------------------------------------------------------------------------------------------------

-- What a partner's keyed request was answered, for 24 hours: the answer holds personal data, and is deleted then. Keys are kept as hashes, since a key may be anything.
CREATE TABLE idempotency_keys (
  partner_id text NOT NULL REFERENCES partners,
  key_hash bytea NOT NULL,
  -- Of the request as it was understood, and of its bytes as they were sent: one that was right yesterday is answered
  -- again though its date is past today.
  request_hash bytea NOT NULL,
  sent_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null while the request is under way. Sealed, so that only who sends the key again can open it.
  answer text,
  PRIMARY KEY (partner_id, key_hash)
);
CREATE INDEX ON idempotency_keys (created_at);

-- A partner's last calls, for its users to look up: which route, and not which address, which may hold what a caller
-- wrote. Unlogged, as nobody waits for a disk: what a crash takes is gone soon anyway.
CREATE UNLOGGED TABLE partner_requests (
  partner_id text NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL,
  method text NOT NULL,
  -- Null: there is nothing at that address.
  route text,
  status smallint NOT NULL,
  request_id uuid NOT NULL,
  correlation_id text,
  -- With which key; or which user, logged in.
  api_key_id uuid,
  user_id uuid,
  PRIMARY KEY (partner_id, number)
);

-- How often somebody called in a window that begins with the first call and has a fixed length. Unlogged: a count is
-- written with nearly every request, nobody waits for a disk, and one that a crash takes is gone in minutes anyway.
CREATE UNLOGGED TABLE rate_counts (
  -- A keyed hash of who is counted, and for what: no address, no token, no e-mail.
  key bytea PRIMARY KEY,
  hits integer NOT NULL,
  expires_at timestamptz NOT NULL
-- room on each page for the next version of a row, which then needs no new entry in the indexes
) WITH (fillfactor = 70);
CREATE INDEX rate_counts_expired ON rate_counts (expires_at);

-- Operators ---------------------------------------------------------------------------------------------------------

-- What operators do, and whose personal data they look at. A row is there before it is done, and is never changed.
CREATE TABLE operator_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  -- Its place, without gaps, and the hashes of the row before and of this one: written by PostgreSQL (…_logs.sql).
  number bigint NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  -- Who it is, as the login says: the name for people, the subject for good.
  operator text NOT NULL,
  operator_subject text NOT NULL,
  -- token, session or break_glass: by which way they came in
  via text NOT NULL,
  -- Who let them, where it takes two.
  granted_by text,
  -- The operation: case.reveal, key.revoke
  action text NOT NULL,
  case_id uuid REFERENCES cases,
  -- The id of what else it was done to: a partner, a user, a key, a provider, a kind of treatment.
  subject text,
  -- The operator's own words: why, or how it was checked who the customer is.
  note text,
  -- The same where it is about a case, sealed by its data key.
  sealed_note bytea,
  -- Which ticket or call it was for, where somebody saw personal data.
  ticket text
);
CREATE INDEX ON operator_log (case_id, id);
CREATE INDEX ON operator_log (operator, id);
CREATE INDEX ON operator_log (action, id);
CREATE INDEX ON operator_log (at);
CREATE INDEX operator_log_break_glass ON operator_log (at) WHERE via = 'break_glass';

-- What came of it: `done`, or the code of what stood in the way. None while it goes on, or where it was broken off.
CREATE TABLE operator_log_outcomes (
  id bigint PRIMARY KEY REFERENCES operator_log,
  number bigint NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  outcome text NOT NULL
);

-- What an operator has asked for that another has to grant. The input is an operation's own: ids and flags, no personal data.
CREATE TABLE operator_requests (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  operation text NOT NULL,
  input jsonb NOT NULL,
  what text NOT NULL,
  asked_by text NOT NULL,
  asked_by_subject text NOT NULL,
  asked_via text NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT now(),
  -- From then on nobody can grant it.
  ends_at timestamptz(3) NOT NULL,
  granted_at timestamptz(3),
  granted_by text,
  granted_by_subject text,
  CHECK (granted_by_subject <> asked_by_subject)
);

-- What each comparison of cases and workflows found.
CREATE TABLE reconciliations (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  -- regular (every minute), nightly, or by_hand
  kind text NOT NULL,
  checked bigint NOT NULL,
  differing bigint NOT NULL,
  mended bigint NOT NULL,
  without_workflow bigint NOT NULL,
  without_case bigint NOT NULL,
  unanswered bigint NOT NULL,
  -- Ids of some of the workflows without a case.
  orphans text[] NOT NULL,
  -- How far back a regular run looked among the workflows, the newest first; null where it came to their end.
  workflows_before timestamptz(3)
);
CREATE INDEX ON reconciliations (kind, id);
CREATE INDEX ON reconciliations (at);

-- Which database this is: another than the one whose row is the newest in `restores` was put back from a backup. The log's
-- timeline changes with a restore to a time, and with a failover; the rest with one from a dump, or by pg_upgrade.
CREATE FUNCTION database_identity() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), 'events'::regclass::oid)
$$;
-- What `operator after-restore` did, once for each restore; the first row is of the database as it was made.
CREATE TABLE restores (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  database text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Events are numbered above it since, and above all numbers that partners may have from before.
  numbers_above bigint NOT NULL,
  -- Null while something of it is left to be done.
  finished_at timestamptz(3)
);
INSERT INTO restores (database, numbers_above, finished_at) VALUES (database_identity(), 0, now());

-- Operators who are logged in at the back office. When a session runs out is in its sealed cookie; here is that it was not
-- ended, and who it is.
CREATE TABLE operator_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subject text NOT NULL,
  name text NOT NULL,
  roles text[] NOT NULL,
  -- When the identity provider last said so.
  checked_at timestamptz(3) NOT NULL,
  -- What it is asked by, sealed. Null where it gave none.
  refresh_token text,
  -- The forms that were sent in it, so that one that is sent twice is done once.
  forms uuid[] NOT NULL DEFAULT '{}',
  started_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON operator_sessions (started_at);

-- Test environments -------------------------------------------------------------------------------------------------

-- Partners order what shall go wrong there, and see what was sent. In production these are empty.

CREATE TABLE test_messages (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Kind, channel and what became of it are there. One that was dropped before it left goes with its notification.
  dedup_id text NOT NULL UNIQUE REFERENCES notifications ON DELETE CASCADE,
  recipient text NOT NULL,
  subject text,
  body text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON test_messages (at);

-- Messages to the addresses that the case had at this version of them bounce.
CREATE TABLE test_bounces (
  case_id uuid PRIMARY KEY REFERENCES cases,
  contact_version integer NOT NULL
);

-- The case's next booking of this slot is refused when it is put into the provider's calendar.
CREATE TABLE test_refusals (
  case_id uuid PRIMARY KEY REFERENCES cases,
  provider_id text NOT NULL,
  slot text NOT NULL,
  -- The booking that was refused: it is so again when the step is repeated, and no other is.
  booking_id uuid
);

-- Erasing -----------------------------------------------------------------------------------------------------------

-- Forgets a case: its key, all rows about it, and what its own row tells; what stays is that there was one, whose it was
-- and when it was erased. An archived one without a legal hold only; or any that was erased before, which an older backup
-- has brought back. As the owner, so that no process may delete what this deletes in any other way.
CREATE FUNCTION erase_case(erased uuid, reason text, operator text) RETURNS boolean LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  dependent regclass;
  people uuid[];
BEGIN
  UPDATE cases SET erased_at = now(), sealed = NULL, reference_hash = NULL, hashed_reference = NULL,
    status = 'archived', booking_id = NULL, state = '{}', customer_language = 'nb',
    workflow_started_at = coalesce(workflow_started_at, now()), workflow_lost = NULL, workflow_lost_at = NULL,
    legal_hold_at = NULL, legal_hold_by = NULL, revision = 2147483647
  WHERE id = erased AND erased_at IS NULL
    AND (status = 'archived' AND legal_hold_at IS NULL OR EXISTS (SELECT FROM keys.erasures WHERE case_id = erased));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT array_agg(person_id) INTO people FROM case_persons WHERE case_id = erased;
  -- every table that refers to a case, but for the operators' log, of which no row is ever changed: its notes are sealed
  FOR dependent IN
    SELECT conrelid::regclass FROM pg_constraint
    WHERE contype = 'f' AND confrelid = 'cases'::regclass AND conrelid <> 'operator_log'::regclass
  LOOP
    EXECUTE format('DELETE FROM %s WHERE case_id = $1', dependent) USING erased;
  END LOOP;
  DELETE FROM persons WHERE id = ANY (people)
    AND NOT EXISTS (SELECT FROM case_persons WHERE person_id = persons.id);
  DELETE FROM keys.data_keys WHERE case_id = erased;
  INSERT INTO keys.erasures (case_id, why, erased_by) VALUES (erased, reason, operator) ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

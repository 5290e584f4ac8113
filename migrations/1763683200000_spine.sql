-- Up Migration

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Who hands cases over, and with which keys -------------------------------------------------------------------------

CREATE TABLE partners (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,49}$'),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The number of the partner's newest event. Taken by the last statement of each transaction that tells something,
  -- so that numbers become visible in their order and the feed has no gaps.
  last_event bigint NOT NULL DEFAULT 0
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  partner_id text NOT NULL REFERENCES partners,
  name text NOT NULL,
  -- SHA-256 of the whole key: it is random enough (256 bits) not to need a slow hash.
  key_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX ON api_keys (partner_id);

-- Who treats, and what ----------------------------------------------------------------------------------------------

CREATE TABLE treatment_types (
  code text PRIMARY KEY CHECK (code ~ '^[a-z][a-z_]{0,49}$'),
  name_nb text NOT NULL,
  name_en text NOT NULL
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
  -- The NAME of the environment variable with the credential: secrets stay out of the database.
  token_variable text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE provider_treatments (
  provider_id text NOT NULL REFERENCES providers,
  treatment_type text NOT NULL REFERENCES treatment_types,
  PRIMARY KEY (provider_id, treatment_type)
);

-- Cases -------------------------------------------------------------------------------------------------------------

CREATE TABLE cases (
  id uuid PRIMARY KEY,
  partner_id text NOT NULL REFERENCES partners,
  partner_case_id text NOT NULL,
  patient_first_name text NOT NULL,
  patient_last_name text NOT NULL,
  patient_email text,
  patient_phone text,
  injury_date date NOT NULL,
  injury_description text,
  treatment_type text NOT NULL REFERENCES treatment_types,
  created_at timestamptz(3) NOT NULL,
  -- Null until the starter has started the workflow: the row is the outbox (promise P1).
  workflow_started_at timestamptz(3),
  -- When a start last failed: those behind it come first then, so that one which can't be started blocks no other.
  start_failed_at timestamptz(3),
  -- The projection of the workflow's state. Written only where the revision grows.
  revision integer NOT NULL DEFAULT 0,
  status text NOT NULL,
  booking_deadline date NOT NULL,
  booking_id uuid,
  state jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK (patient_email IS NOT NULL OR patient_phone IS NOT NULL)
);
-- One live case per reference and treatment (contract, section 1).
CREATE UNIQUE INDEX cases_live_reference ON cases (partner_id, partner_case_id, treatment_type)
  WHERE status NOT IN ('recalled', 'archived');
CREATE INDEX cases_unstarted ON cases (start_failed_at NULLS FIRST, created_at) WHERE workflow_started_at IS NULL;
CREATE INDEX cases_newest ON cases (partner_id, created_at DESC, id DESC);
CREATE INDEX cases_by_status ON cases (partner_id, status, created_at DESC, id DESC);
CREATE INDEX cases_by_reference ON cases (partner_id, partner_case_id);

-- Free text: a workflow gets a text's id, never the text.
CREATE TABLE case_texts (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL CHECK (kind IN ('recall_reason', 'assistance_request')),
  body text,
  preferred_contact text CHECK (preferred_contact IN ('phone', 'email')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When the workflow was told of a request for help; until then a worker tries again.
  signalled_at timestamptz(3)
);
CREATE INDEX ON case_texts (case_id, created_at);
CREATE INDEX case_texts_unsignalled ON case_texts (created_at)
  WHERE kind = 'assistance_request' AND signalled_at IS NULL;

-- Corrected addresses on their way through the workflow, which gets their id: it is applied to the case by the write
-- that shows the workflow's verdict, and emptied then.
CREATE TABLE case_corrections (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  patient_email text,
  patient_phone text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Who the customer turned out to be: the first person whose name matched (contract, section 3).
CREATE TABLE case_persons (
  case_id uuid PRIMARY KEY REFERENCES cases,
  person_key text NOT NULL,
  given_name text NOT NULL,
  family_name text NOT NULL,
  birth_date date,
  bound_at timestamptz(3) NOT NULL DEFAULT now()
);

-- What was booked, in words (the workflow holds ids only).
CREATE TABLE bookings (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  provider_id text NOT NULL REFERENCES providers,
  practitioner text NOT NULL,
  location text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('in_person', 'video')),
  during tstzrange NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON bookings (case_id);

-- Nobody's hour is given twice: the constraint decides, not a look beforehand.
CREATE TABLE slot_claims (
  booking_id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  provider_id text NOT NULL,
  practitioner_id text NOT NULL,
  during tstzrange NOT NULL,
  -- Null once the case is booked: then only its release ends the claim.
  expires_at timestamptz(3),
  EXCLUDE USING gist (provider_id WITH =, practitioner_id WITH =, during WITH &&)
);

CREATE TABLE notifications (
  -- <case>:<kind>:<channel>:<sequence>, promise P4
  dedup_id text PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'delivered', 'failed')),
  reason text,
  -- The mail's Message-ID or the SMS's sid.
  reference text,
  at timestamptz(3) NOT NULL
);
CREATE INDEX ON notifications (case_id, at);

CREATE TABLE events (
  partner_id text NOT NULL REFERENCES partners,
  number bigint NOT NULL,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL REFERENCES cases,
  type text NOT NULL,
  at timestamptz(3) NOT NULL,
  actor text NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (partner_id, number)
);
CREATE INDEX ON events (case_id, number);

-- Up Migration

-- What a partner's keyed request was answered (contract, section 1), for 24 hours: the answer holds personal data, and
-- is deleted then. Keys are kept as hashes, since a key may be anything.
CREATE TABLE idempotency_keys (
  partner_id text NOT NULL REFERENCES partners,
  key_hash bytea NOT NULL,
  -- Of the request as it was understood, and of its bytes as they were sent: one that was right yesterday is answered
  -- again though its date is past today.
  request_hash bytea NOT NULL,
  sent_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null while the request is under way. As text, so that it is given again to the letter.
  answer json,
  PRIMARY KEY (partner_id, key_hash)
);
CREATE INDEX ON idempotency_keys (created_at);

-- What may be done so many times per case and day, each time it was: a row is taken before it is done.
CREATE TABLE case_turns (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  kind text NOT NULL CHECK (kind IN ('resend', 'assistance')),
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON case_turns (case_id, kind, at);

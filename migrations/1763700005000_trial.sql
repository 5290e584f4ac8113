-- Up Migration

-- For test environments only, where partners order what shall go wrong, and see what was sent (contract, section 6).
-- In production nothing writes or reads these.

CREATE TABLE trial_messages (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Kind, channel and what became of it are there. One that was dropped before it left goes with its notification.
  dedup_id text NOT NULL UNIQUE REFERENCES notifications ON DELETE CASCADE,
  recipient text NOT NULL,
  subject text,
  body text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON trial_messages (at);

-- Messages to the addresses that the case had at this version of them bounce.
CREATE TABLE trial_bounces (
  case_id uuid PRIMARY KEY REFERENCES cases,
  reach_version integer NOT NULL
);

-- The case's next booking of this slot is refused when it is put into the provider's calendar.
CREATE TABLE trial_refusals (
  case_id uuid PRIMARY KEY REFERENCES cases,
  provider_id text NOT NULL,
  slot text NOT NULL,
  -- The booking that was refused: it is so again when the step is repeated, and no other is.
  booking_id uuid
);

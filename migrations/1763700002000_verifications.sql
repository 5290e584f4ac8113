-- Up Migration

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

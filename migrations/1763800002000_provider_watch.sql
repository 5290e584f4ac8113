-- Up Migration

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

-- The provider's own id of the claimed slot, so that a claim that ended by itself can be let go there too. Null in
-- claims of before this was noted.
ALTER TABLE slot_claims ADD COLUMN slot text;
-- Claims that end by themselves, to be let go at their providers.
CREATE INDEX slot_claims_ending ON slot_claims (provider_id, expires_at) WHERE expires_at IS NOT NULL;

-- A provider's coming appointments, the next ones first.
CREATE INDEX bookings_coming ON bookings (provider_id, upper(during), id);

-- Cases with a slot that did not read as free: few at any time.
CREATE INDEX cases_not_free ON cases (id) WHERE state -> 'bookings' @> '[{"unverified": true}]';

-- A free time that is shorter is of no use for the treatment. Null: any length will do.
ALTER TABLE treatment_types ADD COLUMN minimum_minutes integer CHECK (minimum_minutes BETWEEN 1 AND 480);

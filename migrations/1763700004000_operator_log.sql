-- Up Migration

-- What operators do on the command line, and whose personal data they look at. A row is there before it is done.
CREATE TABLE operator_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  operator text NOT NULL,
  -- The command: case.reveal, key.revoke
  action text NOT NULL,
  case_id uuid REFERENCES cases,
  -- The id of what else it was done to: a partner, a user, a key, a provider, a kind of treatment.
  subject text,
  -- The operator's own words: why, or how it was checked who the customer is.
  note text,
  -- `done`, or the code of what stood in the way; null while it goes on, or where the command was broken off.
  outcome text
);
CREATE INDEX ON operator_log (case_id, id);

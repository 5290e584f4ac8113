-- Up Migration

-- What became of messages after they left, by the channels' reports.

ALTER TABLE notifications
  -- The how-manieth message of the case: on both channels, the same message has the same number. Null where an older
  -- version has written the row; nobody reports what became of those.
  ADD COLUMN sequence integer,
  -- Which appointment it is about.
  ADD COLUMN booking_id uuid,
  -- The version of the case's addresses that it went to; 0 for messages of before this was noted.
  ADD COLUMN reach_version integer NOT NULL DEFAULT 0,
  -- It was reported as failed after it had left, and the workflow was not told yet; until then a worker tries again.
  ADD COLUMN untold boolean NOT NULL DEFAULT false;
CREATE INDEX notifications_untold ON notifications (at) WHERE untold;

-- What the operator was called for.
CREATE TABLE operator_alerts (
  -- <case>:alert:<kind>:<instant>
  dedup_id text PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases,
  told_at timestamptz(3) NOT NULL DEFAULT now()
);

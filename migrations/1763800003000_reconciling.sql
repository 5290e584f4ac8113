-- Up Migration

-- When a case was last held against its workflow, and what it was found to be then (run, length of its history,
-- revision of the row): while that is the same, nobody asks the workflow.
ALTER TABLE cases ADD COLUMN checked_at timestamptz(3);
ALTER TABLE cases ADD COLUMN checked_as text;
-- How the workflow of a case that is not over has ended: missing, terminated, failed, timed_out, cancelled. An operator
-- starts it again.
ALTER TABLE cases ADD COLUMN workflow_lost text;
ALTER TABLE cases ADD COLUMN workflow_lost_at timestamptz(3);
-- When the operator was to be told of that.
ALTER TABLE cases ADD COLUMN workflow_lost_told_at timestamptz(3);

CREATE INDEX cases_to_check ON cases (checked_at NULLS FIRST, id)
  WHERE workflow_started_at IS NOT NULL AND status <> 'archived';
CREATE INDEX cases_workflow_lost ON cases (workflow_lost_at) WHERE workflow_lost IS NOT NULL;

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
  strays text[] NOT NULL,
  -- How far back a regular run looked among the workflows, the newest first; null where it came to their end.
  workflows_before timestamptz(3)
);
CREATE INDEX ON reconciliations (kind, id);
CREATE INDEX ON reconciliations (at);

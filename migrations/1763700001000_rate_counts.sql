-- Up Migration

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

-- Up Migration

-- The version before this one has stopped reading and writing it.
-- squawk-ignore ban-drop-column
ALTER TABLE cases DROP COLUMN claim_handler;

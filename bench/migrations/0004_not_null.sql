-- Up Migration

-- Holds for what is written from now on; the rows that are there are looked at by the next migration.
ALTER TABLE cases ADD CONSTRAINT cases_claim_handler_not_null NOT NULL claim_handler NOT VALID;

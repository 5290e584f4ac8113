-- Up Migration

-- No row is touched. The default is for the old version of the service, which writes rows without it.
ALTER TABLE cases ADD COLUMN claim_handler text;
ALTER TABLE cases ALTER COLUMN claim_handler SET DEFAULT 'nobody';

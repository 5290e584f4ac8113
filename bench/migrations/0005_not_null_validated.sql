-- Up Migration

ALTER TABLE cases VALIDATE CONSTRAINT cases_claim_handler_not_null;

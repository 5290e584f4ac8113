-- Up Migration
-- Alone

CREATE INDEX CONCURRENTLY IF NOT EXISTS cases_by_handler ON cases (claim_handler, created_at DESC, id DESC);

-- Up Migration

-- One index for each filter of `GET /cases` that had none, so that what is rare is not looked for among all of a
-- partner's cases. (test/postgres/cases.test.ts holds every filter against its plan.)

-- In the order of the list: a page is read off, without a sort.
CREATE INDEX cases_by_treatment ON cases (partner_id, treatment_type, created_at DESC, id DESC);
-- What changed lately is few, and is sorted.
CREATE INDEX cases_by_change ON cases (partner_id, updated_at);

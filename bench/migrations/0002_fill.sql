-- Up Migration
-- Alone

-- Each thousand is committed before the next, so nobody waits for a row for longer than that. Broken off, it goes on.
DO $$
DECLARE
  after uuid := '00000000-0000-0000-0000-000000000000';
  page uuid[];
BEGIN
  LOOP
    page := ARRAY(SELECT id FROM cases WHERE id > after ORDER BY id LIMIT 1000);
    EXIT WHEN page = '{}';
    UPDATE cases SET claim_handler = 'nobody' WHERE id = ANY(page) AND claim_handler IS NULL;
    after := page[cardinality(page)];
    COMMIT;
  END LOOP;
END $$;

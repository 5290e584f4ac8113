-- Up Migration

-- How we show a provider's booking system who we are: src/postgres/provider-connection.ts has the shapes. It holds NAMES
-- of environment variables: secrets stay out of the database.
ALTER TABLE providers ADD COLUMN connection jsonb;
UPDATE providers SET connection = CASE
  WHEN token_variable IS NULL THEN jsonb_build_object('auth', 'none')
  ELSE jsonb_build_object('auth', 'bearer', 'tokenVariable', token_variable)
END;
ALTER TABLE providers ALTER COLUMN connection SET NOT NULL, DROP COLUMN token_variable;

-- Up Migration

-- Who manages a partner's keys --------------------------------------------------------------------------------------

CREATE TABLE partner_users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  partner_id text NOT NULL REFERENCES partners,
  email text NOT NULL,
  -- Null while an activation is awaited: nobody logs in then.
  password_hash text,
  -- SHA-256 of the one-time token. One column, so that a new activation voids the one before, and using it empties it.
  activation_hash bytea UNIQUE,
  activation_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  CHECK ((activation_hash IS NULL) = (activation_expires_at IS NULL))
);
CREATE UNIQUE INDEX partner_users_email ON partner_users (lower(email));
CREATE INDEX ON partner_users (partner_id);

CREATE TABLE access_tokens (
  -- SHA-256 of the token, which is as random as a key.
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES partner_users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON access_tokens (user_id);

-- The beginning of a key, by which people tell it from others. Null for those issued before there was one.
ALTER TABLE api_keys ADD COLUMN hint text;

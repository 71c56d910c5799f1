/** Users of the dashboard and their sign-in. */
export const users = `
-- totp_last_step: the newest step of 30 s whose code was accepted. A code of this step or an older one is refused.
CREATE TABLE dashboard_users (
  id text PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'administrator')),
  account_id text REFERENCES accounts (id) ON DELETE CASCADE,
  encrypted_totp_secret bytea,
  totp_enabled boolean NOT NULL DEFAULT false CHECK (NOT totp_enabled OR encrypted_totp_secret IS NOT NULL),
  totp_last_step bigint,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_users_email_key UNIQUE (email),
  CONSTRAINT dashboard_users_owner_has_account CHECK ((role = 'owner') = (account_id IS NOT NULL))
);
CREATE INDEX dashboard_users_by_account ON dashboard_users (account_id);
CREATE INDEX dashboard_users_newest ON dashboard_users (created_at DESC, id DESC);

-- confirmed_at: when the user last typed the password.
CREATE TABLE dashboard_sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES dashboard_users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3) NOT NULL DEFAULT 'epoch',
  CONSTRAINT dashboard_sessions_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX dashboard_sessions_by_user ON dashboard_sessions (user_id);
CREATE INDEX dashboard_sessions_by_end ON dashboard_sessions (expires_at);

-- The gateway deletes a code when it is used.
CREATE TABLE dashboard_recovery_codes (
  user_id text NOT NULL REFERENCES dashboard_users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- The gateway deletes a link when it is used.
CREATE TABLE dashboard_password_resets (
  user_id text PRIMARY KEY REFERENCES dashboard_users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz(3) NOT NULL
);

-- Unlogged: after a crash of the database, everybody starts with no failed attempts.
CREATE UNLOGGED TABLE sign_in_attempts (
  subject bytea PRIMARY KEY,
  window_start bigint NOT NULL,
  count integer NOT NULL
);
CREATE INDEX sign_in_attempts_by_window ON sign_in_attempts (window_start);
`;

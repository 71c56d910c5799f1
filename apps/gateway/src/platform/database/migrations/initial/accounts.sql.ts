/** Accounts, their limits, domains, sub-users and keys. */
export const accounts = `
CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  api_user_name text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
CREATE INDEX accounts_by_time ON accounts (created_at DESC, id DESC);
CREATE INDEX accounts_disabled ON accounts (id) WHERE state = 'disabled';
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE platform_features (
  feature text PRIMARY KEY,
  enabled boolean NOT NULL
);
INSERT INTO platform_features (feature, enabled) VALUES
  ('whip', true), ('whep', true), ('hls', true), ('srt', false), ('rtmp', false), ('rtmps', false);

CREATE TABLE account_features (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  feature text NOT NULL,
  enabled boolean NOT NULL,
  PRIMARY KEY (account_id, feature)
);

-- A row takes the entitlement away or gives it back. An account without a row has the entitlement.
CREATE TABLE account_entitlements (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entitlement text NOT NULL,
  granted boolean NOT NULL,
  PRIMARY KEY (account_id, entitlement)
);

-- Only values that differ from the defaults of the plan, which the configuration holds.
CREATE TABLE account_limits (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  value integer NOT NULL,
  PRIMARY KEY (account_id, name)
);

CREATE TABLE domains (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  domain text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (account_id, domain)
);
CREATE INDEX domains_by_account ON domains (account_id, created_at DESC, id DESC);

CREATE TABLE sub_users (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('parent', 'member')),
  permissions text[] NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  api_user_name text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sub_users_email ON sub_users (account_id, lower(email));
CREATE INDEX sub_users_by_account ON sub_users (account_id, created_at DESC, id DESC);

-- One current key of each type. A rotation leaves superseded keys valid for a while.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('sandbox', 'production')),
  hash bytea NOT NULL UNIQUE,
  masked_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  superseded_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  sub_user_id text REFERENCES sub_users (id) ON DELETE CASCADE,
  disabled_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id, type)
  WHERE superseded_at IS NULL AND sub_user_id IS NULL;
CREATE UNIQUE INDEX api_keys_of_sub_user ON api_keys (sub_user_id, type)
  WHERE sub_user_id IS NOT NULL AND superseded_at IS NULL;
CREATE INDEX api_keys_by_end ON api_keys (LEAST(revoked_at, expires_at));

CREATE TABLE disposable_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sub_user_id text REFERENCES sub_users (id) ON DELETE CASCADE,
  created_by_key_id text REFERENCES disposable_keys (id) ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('sandbox', 'production')),
  validity_days integer,
  operations text[] NOT NULL,
  domains text[],
  hash bytea NOT NULL UNIQUE,
  masked_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  meeting_ids text[],
  max_role text
);
CREATE UNIQUE INDEX disposable_keys_name ON disposable_keys (account_id, name) WHERE revoked_at IS NULL;
CREATE INDEX disposable_keys_by_account ON disposable_keys (account_id, created_at DESC, id DESC);
CREATE INDEX disposable_keys_by_sub_user ON disposable_keys (sub_user_id) WHERE sub_user_id IS NOT NULL;
CREATE INDEX disposable_keys_by_creator ON disposable_keys (created_by_key_id) WHERE created_by_key_id IS NOT NULL;
CREATE INDEX disposable_keys_by_end ON disposable_keys (LEAST(revoked_at, expires_at));

CREATE TABLE disposable_key_usage (
  key_id text NOT NULL REFERENCES disposable_keys (id) ON DELETE CASCADE,
  operation text NOT NULL,
  request_count bigint NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, operation)
);

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  encrypted_private_jwk bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3)
);

CREATE TABLE deleted_records (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  id text NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id)
);
CREATE INDEX deleted_records_by_time ON deleted_records (deleted_at);

-- No reference to other tables: an entry outlives the account and the actor that it names.
CREATE TABLE audit_entries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text,
  action text NOT NULL,
  account_id text,
  details jsonb NOT NULL,
  address text NOT NULL,
  request_id text NOT NULL,
  outcome text NOT NULL,
  reason text
);
CREATE INDEX audit_entries_by_time ON audit_entries (at);
CREATE INDEX audit_entries_of_account ON audit_entries (account_id, number);
`;

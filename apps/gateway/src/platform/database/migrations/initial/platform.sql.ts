/** Tables that know no domain. */
export const platform = `
-- Migrations that a gateway must know to work with this schema, see requireGateways.
CREATE TABLE schema_requirements (
  migration text PRIMARY KEY,
  added_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE service_secrets (
  name text PRIMARY KEY,
  sealed bytea NOT NULL
);

-- id: a hash of account, path and key. account_id: 'administrator' for requests of the administration.
CREATE TABLE idempotent_requests (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  fingerprint bytea NOT NULL,
  sealed_answer bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (created_at);

-- Unlogged: counts of one minute are not worth a write-ahead log.
CREATE UNLOGGED TABLE rate_limit_counts (
  subject text PRIMARY KEY,
  window_start bigint NOT NULL,
  count integer NOT NULL
) WITH (fillfactor = 50);
`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

const accountTables = `
CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  api_user_name text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('sandbox', 'production')),
  hash bytea NOT NULL UNIQUE,
  masked_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  superseded_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id, type) WHERE superseded_at IS NULL;

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

CREATE TABLE domains (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  domain text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (account_id, domain)
);
`;

const roomTables = `
CREATE TABLE rooms (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  room_name text,
  event_type text NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ended')),
  key_type text NOT NULL CHECK (key_type IN ('sandbox', 'production')),
  host_name text NOT NULL,
  duration integer NOT NULL,
  capacity integer NOT NULL,
  settings jsonb NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  secure_code_hash bytea,
  record_on_start boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text
);
CREATE UNIQUE INDEX rooms_active_name ON rooms (account_id, room_name) WHERE state = 'active';
CREATE INDEX rooms_by_account ON rooms (account_id, created_at DESC, id DESC);
CREATE INDEX rooms_expiring ON rooms (expires_at) WHERE state = 'active';

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  encrypted_private_jwk bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3)
);
`;

/** What the three media resources share: whose they are, which node has them, what was heard of them last. */
const mediaColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  node_id text,
  node_epoch bigint,
  placed_at timestamptz(3) NOT NULL DEFAULT now(),
  fact_sequence integer NOT NULL DEFAULT 0,
  grace_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
`;

const mediaTables = `
CREATE TABLE external_sessions (${mediaColumns}
  participant_id text NOT NULL,
  display_name text NOT NULL,
  protocol text NOT NULL,
  requested_tracks jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'active', 'ended', 'failed')),
  tracks jsonb NOT NULL DEFAULT '[]',
  health jsonb NOT NULL DEFAULT '[]',
  keyframe_interval_seconds double precision
);

CREATE TABLE playbacks (${mediaColumns}
  source_session_id text NOT NULL REFERENCES external_sessions (id) ON DELETE CASCADE,
  tracks jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'active', 'ended')),
  payload_matching text NOT NULL DEFAULT 'fixed',
  payload_profile jsonb,
  viewer_count integer NOT NULL DEFAULT 0
);

CREATE TABLE broadcasts (${mediaColumns}
  source_session_id text NOT NULL REFERENCES external_sessions (id) ON DELETE CASCADE,
  tracks jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL CHECK (state IN ('starting', 'active', 'interrupted', 'ended', 'failed')),
  renditions jsonb NOT NULL DEFAULT '[]'
);
`;

const mediaIndexes = ['external_sessions', 'playbacks', 'broadcasts'].map(
  table => `
CREATE INDEX ${table}_by_room ON ${table} (meeting_id, created_at DESC, id DESC);
CREATE INDEX ${table}_live ON ${table} (node_id) WHERE state NOT IN ('ended', 'failed');
`,
);

const sourceIndexes = `
CREATE INDEX playbacks_by_source ON playbacks (source_session_id);
CREATE INDEX broadcasts_by_source ON broadcasts (source_session_id);
`;

export class Initial1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [accountTables, roomTables, mediaTables, ...mediaIndexes, sourceIndexes]) {
      await queryRunner.query(statements);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const tables = ['broadcasts', 'playbacks', 'external_sessions', 'signing_keys', 'rooms', 'domains'];
    await queryRunner.query(
      `DROP TABLE ${[...tables, 'account_features', 'platform_features', 'api_keys', 'accounts'].join(', ')}`,
    );
  }
}

/**
 * Columns of external sessions, playbacks and broadcasts: the room, the node, and the last event from the node. The rows go with
 * their room: a reference to the account as well would make PostgreSQL read each whole table when an account is removed.
 */
const resourceColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  node_id text,
  node_epoch bigint,
  placed_at timestamptz(3) NOT NULL DEFAULT now(),
  fact_sequence integer NOT NULL DEFAULT 0,
  grace_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,`;

/**
 * `…_by_room` covers the pages of a list. `…_live_by_id` has the order of the pages that the reconciler reads, and the rooms that
 * the sweeper looks for.
 */
const resourceIndexes = (table: string): string => `
CREATE INDEX ${table}_by_room ON ${table} (meeting_id, created_at DESC, id DESC) INCLUDE (account_id);
CREATE INDEX ${table}_live_by_id ON ${table} (id) INCLUDE (meeting_id) WHERE state NOT IN ('ended', 'failed');`;

/** External sessions, playbacks, broadcasts and recordings. */
export const media = `
CREATE TABLE external_sessions (${resourceColumns}
  participant_id text NOT NULL,
  display_name text NOT NULL,
  protocol text NOT NULL,
  requested_tracks jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'active', 'ended', 'failed')),
  tracks jsonb NOT NULL DEFAULT '[]',
  health jsonb NOT NULL DEFAULT '[]',
  keyframe_interval_seconds double precision,
  reason text
);
${resourceIndexes('external_sessions')}
-- The gateway counts the live sessions of an account before it opens another one.
CREATE INDEX external_sessions_live_by_account ON external_sessions (account_id)
  WHERE state NOT IN ('ended', 'failed');
ALTER TABLE participants ADD FOREIGN KEY (session_id) REFERENCES external_sessions (id) ON DELETE CASCADE;

CREATE TABLE playbacks (${resourceColumns}
  source_session_id text NOT NULL REFERENCES external_sessions (id) ON DELETE CASCADE,
  tracks jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'active', 'ended')),
  payload_matching text NOT NULL DEFAULT 'fixed',
  payload_profile jsonb,
  viewer_count integer NOT NULL DEFAULT 0,
  reason text
);
${resourceIndexes('playbacks')}
CREATE INDEX playbacks_by_source ON playbacks (source_session_id);

-- The source is an external session or a member. source_tracks: the tracks of the member in the broadcast.
CREATE TABLE broadcasts (${resourceColumns}
  source_session_id text REFERENCES external_sessions (id) ON DELETE CASCADE,
  tracks jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL CHECK (state IN ('starting', 'active', 'interrupted', 'ended', 'failed')),
  renditions jsonb NOT NULL DEFAULT '[]',
  source_participant_id text REFERENCES participants (id) ON DELETE CASCADE,
  source_tracks jsonb NOT NULL DEFAULT '[]',
  reason text,
  CONSTRAINT broadcasts_one_source CHECK ((source_session_id IS NULL) <> (source_participant_id IS NULL))
);
${resourceIndexes('broadcasts')}
CREATE INDEX broadcasts_by_source ON broadcasts (source_session_id);
CREATE INDEX broadcasts_by_participant ON broadcasts (source_participant_id) WHERE source_participant_id IS NOT NULL;

-- The SFU node of a room that members publish in.
CREATE TABLE room_media (
  meeting_id text PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  node_id text NOT NULL,
  node_epoch bigint NOT NULL,
  placed_at timestamptz(3) NOT NULL
);

CREATE TABLE recordings (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  source_session_id text REFERENCES external_sessions (id) ON DELETE SET NULL,
  source_participant_id text,
  state text NOT NULL CHECK (state IN ('starting', 'recording', 'processing', 'ready', 'failed')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  ended_at timestamptz(3),
  size_bytes bigint,
  format text,
  width integer,
  height integer,
  checksum_sha256 text,
  node_id text,
  node_epoch bigint,
  placed_at timestamptz(3) NOT NULL DEFAULT now(),
  fact_sequence integer NOT NULL DEFAULT 0,
  grace_until timestamptz(3),
  end_reason text,
  tracks jsonb NOT NULL DEFAULT '[]',
  duration_seconds double precision,
  max_duration_seconds integer NOT NULL DEFAULT 86400,
  pauses_limit integer NOT NULL DEFAULT 10,
  pause_count integer NOT NULL DEFAULT 0,
  retention_days integer NOT NULL DEFAULT 30,
  storage text,
  expires_at timestamptz(3),
  previous_recording_id text,
  key_type text
);
CREATE INDEX recordings_by_account ON recordings (account_id, created_at DESC, id DESC);
CREATE INDEX recordings_by_environment ON recordings (account_id, key_type, created_at DESC, id DESC);
CREATE INDEX recordings_by_room ON recordings (account_id, meeting_id, created_at DESC, id DESC);
CREATE INDEX recordings_of_room ON recordings (meeting_id);
CREATE INDEX recordings_unfinished ON recordings (meeting_id) WHERE state IN ('starting', 'recording', 'processing');
CREATE INDEX recordings_by_session ON recordings (source_session_id);
CREATE UNIQUE INDEX recordings_one_per_session ON recordings (source_session_id) WHERE state IN ('starting', 'recording');
CREATE UNIQUE INDEX recordings_one_per_participant ON recordings (source_participant_id)
  WHERE state IN ('starting', 'recording');
CREATE INDEX recordings_to_continue ON recordings (grace_until) WHERE grace_until IS NOT NULL;
CREATE INDEX recordings_by_expiry ON recordings (expires_at) WHERE expires_at IS NOT NULL;
CREATE TRIGGER recordings_environment BEFORE INSERT ON recordings
  FOR EACH ROW EXECUTE FUNCTION take_key_type_of_room();

CREATE TABLE recording_files_to_delete (
  recording_id text PRIMARY KEY,
  node_id text NOT NULL,
  storage text NOT NULL
);

-- The log of a recording outlives its file. recording: the answer of the API at the deletion.
CREATE TABLE deleted_recordings (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  recording jsonb NOT NULL,
  key_type text
);
CREATE INDEX deleted_recordings_by_environment ON deleted_recordings (account_id, key_type, created_at DESC, id DESC);
CREATE INDEX deleted_recordings_by_room ON deleted_recordings (account_id, meeting_id, created_at DESC, id DESC);
CREATE INDEX deleted_recordings_of_room ON deleted_recordings (meeting_id);
CREATE TRIGGER deleted_recordings_environment BEFORE INSERT ON deleted_recordings
  FOR EACH ROW EXECUTE FUNCTION take_key_type_of_room();
`;

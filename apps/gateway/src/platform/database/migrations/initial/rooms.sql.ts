/** Rooms, the participants in them, and everything that happens in a room except media. */
export const rooms = `
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
  end_reason text,
  recording_options jsonb,
  creator_id text
);
-- A sandbox room does not take a name from production.
CREATE UNIQUE INDEX rooms_active_name ON rooms (account_id, key_type, room_name) WHERE state = 'active';
CREATE INDEX rooms_expiring ON rooms (expires_at) WHERE state = 'active';
CREATE INDEX rooms_by_end ON rooms (ended_at) WHERE state = 'ended';
-- Covering indexes: PostgreSQL finds the ids of a page, with the filters of the list, in the index alone.
CREATE INDEX rooms_by_account ON rooms (account_id, created_at DESC, id DESC) INCLUDE (state, event_type, room_name);
CREATE INDEX rooms_active_by_account ON rooms (account_id, created_at DESC, id DESC)
  INCLUDE (state, event_type, room_name) WHERE state = 'active';
-- A list of one environment reads no rows of the other, however many there are.
CREATE INDEX rooms_by_environment ON rooms (account_id, key_type, created_at DESC, id DESC)
  INCLUDE (state, event_type, room_name);
CREATE INDEX rooms_active_by_environment ON rooms (account_id, key_type, created_at DESC, id DESC)
  INCLUDE (state, event_type, room_name) WHERE state = 'active';

-- The database copies the environment of a room into the room's rows, so that no writer can forget it.
-- A SIP call without a room may name its own environment, and counts as production otherwise.
CREATE FUNCTION take_key_type_of_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.key_type := COALESCE((SELECT key_type FROM rooms WHERE id = NEW.meeting_id), NEW.key_type, 'production');
  RETURN NEW;
END $$;

-- Members and external sessions. A participant goes with its room: a reference to the account as well would make
-- PostgreSQL read the whole table when an account is removed.
CREATE TABLE participants (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('host', 'cohost', 'participant', 'viewer')),
  state text NOT NULL CHECK (state IN ('joined', 'left')),
  joined_at timestamptz(3) NOT NULL,
  left_at timestamptz(3),
  leave_reason text,
  kind text NOT NULL DEFAULT 'member' CHECK (kind IN ('member', 'externalSession')),
  session_id text UNIQUE,
  connected_at timestamptz(3),
  connection_id text,
  replica_id text,
  is_connected boolean NOT NULL DEFAULT false,
  grace_until timestamptz(3),
  tracks jsonb NOT NULL DEFAULT '[]',
  granted jsonb NOT NULL DEFAULT '[]',
  requests jsonb NOT NULL DEFAULT '[]',
  breakout text,
  whiteboard text CHECK (whiteboard IN ('view', 'draw')),
  health jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX participants_by_room ON participants (meeting_id, joined_at DESC, id DESC);
CREATE INDEX participants_joined ON participants (meeting_id) WHERE state = 'joined';
CREATE INDEX participants_in_grace ON participants (grace_until) WHERE state = 'joined' AND grace_until IS NOT NULL;
CREATE INDEX participants_connected ON participants (replica_id) WHERE connection_id IS NOT NULL;

-- One row a gateway process with room sockets. A process that stops updating seen_at has lost its sockets.
CREATE TABLE gateway_replicas (
  id text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);

-- The counter of a room's events. A table of its own, because rows of rooms are wide and indexed for lists.
CREATE TABLE room_feeds (
  meeting_id text PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  sequence integer NOT NULL
);

CREATE TABLE room_events (
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  sequence integer NOT NULL,
  at timestamptz(3) NOT NULL,
  audience text[],
  type text NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (meeting_id, sequence)
);

-- Replies to commands of the room socket: a command that is sent again gets the same reply.
CREATE TABLE room_commands (
  participant_id text NOT NULL,
  command_id text NOT NULL,
  name text NOT NULL,
  reply jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (participant_id, command_id)
);
CREATE INDEX room_commands_by_age ON room_commands (created_at);

CREATE TABLE polls (
  id text PRIMARY KEY,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  question text NOT NULL,
  options jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'ended')),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX polls_by_room ON polls (meeting_id, created_at);

CREATE TABLE poll_votes (
  poll_id text NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  participant_id text NOT NULL,
  choice integer NOT NULL CHECK (choice >= 0),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (poll_id, participant_id)
);

-- sender_name: the name of the sender when the message was sent.
CREATE TABLE room_messages (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  sender_id text NOT NULL,
  recipient_id text,
  message text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sender_name text NOT NULL DEFAULT '',
  key_type text
);
CREATE INDEX room_messages_by_environment ON room_messages (account_id, key_type, created_at DESC, id DESC);
CREATE INDEX room_messages_by_room ON room_messages (account_id, meeting_id, created_at DESC, id DESC);
CREATE INDEX room_messages_of_room ON room_messages (meeting_id);
CREATE INDEX room_messages_by_time ON room_messages (created_at);
CREATE TRIGGER room_messages_environment BEFORE INSERT ON room_messages
  FOR EACH ROW EXECUTE FUNCTION take_key_type_of_room();

CREATE TABLE sip_calls (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text REFERENCES rooms (id) ON DELETE SET NULL,
  direction text NOT NULL CHECK (direction IN ('incoming', 'outgoing')),
  caller_number text NOT NULL,
  callee_number text NOT NULL,
  state text NOT NULL,
  transcript jsonb NOT NULL DEFAULT '[]',
  summary text,
  callback_state text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  key_type text
);
CREATE INDEX sip_calls_by_environment ON sip_calls (account_id, key_type, created_at DESC, id DESC);
CREATE INDEX sip_calls_by_room ON sip_calls (account_id, meeting_id, created_at DESC, id DESC);
CREATE INDEX sip_calls_of_room ON sip_calls (meeting_id) WHERE meeting_id IS NOT NULL;
CREATE INDEX sip_calls_by_time ON sip_calls (created_at);
CREATE TRIGGER sip_calls_environment BEFORE INSERT ON sip_calls
  FOR EACH ROW EXECUTE FUNCTION take_key_type_of_room();

-- Messages of the socket.io adapter that are too large for a notification of PostgreSQL.
CREATE TABLE socket_io_attachments (
  id bigserial UNIQUE,
  created_at timestamptz DEFAULT now(),
  payload bytea
);

-- Wrong secure codes of rooms: each delays the next guess. Unlogged: after a crash of the database nobody waits.
CREATE UNLOGGED TABLE wrong_guesses (
  subject bytea PRIMARY KEY,
  count integer NOT NULL,
  last_at timestamptz(3) NOT NULL,
  waits_until timestamptz(3) NOT NULL
);
CREATE INDEX wrong_guesses_by_time ON wrong_guesses (last_at);
`;

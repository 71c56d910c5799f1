import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is in a room, members and external sessions alike, and what is true of each while they are in it. */
const participants = `
ALTER TABLE participants
  ADD COLUMN kind text NOT NULL DEFAULT 'member' CHECK (kind IN ('member', 'externalSession')),
  ADD COLUMN session_id text UNIQUE REFERENCES external_sessions (id) ON DELETE CASCADE,
  ADD COLUMN connected_at timestamptz(3),
  ADD COLUMN connection_id text,
  ADD COLUMN replica_id text,
  ADD COLUMN is_connected boolean NOT NULL DEFAULT false,
  ADD COLUMN grace_until timestamptz(3),
  ADD COLUMN tracks jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN granted jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN requests jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN breakout text,
  ADD COLUMN whiteboard text CHECK (whiteboard IN ('view', 'draw')),
  ADD COLUMN health jsonb NOT NULL DEFAULT '[]';
CREATE INDEX participants_in_grace ON participants (grace_until) WHERE state = 'joined' AND grace_until IS NOT NULL;
CREATE INDEX participants_connected ON participants (replica_id) WHERE connection_id IS NOT NULL;
`;

/** Each gateway process that holds sockets; one that is silent has lost them. */
const replicas = `
CREATE TABLE gateway_replicas (
  id text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);
`;

/** The log of a room; the counter stands apart from the room, which is wider and listed. */
const roomEvents = `
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
CREATE TABLE room_commands (
  participant_id text NOT NULL,
  command_id text NOT NULL,
  name text NOT NULL,
  reply jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (participant_id, command_id)
);
CREATE INDEX room_commands_by_age ON room_commands (created_at);
`;

const polls = `
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
`;

/** Which media node has a room that members publish in. */
const roomMedia = `
CREATE TABLE room_media (
  meeting_id text PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  node_id text NOT NULL,
  node_epoch bigint NOT NULL,
  placed_at timestamptz(3) NOT NULL
);
`;

/** The name of a sender as it was, and what socket.io's adapter keeps of messages that a notification cannot hold. */
const messages = `
ALTER TABLE room_messages ADD COLUMN sender_name text NOT NULL DEFAULT '';
CREATE TABLE socket_io_attachments (
  id bigserial UNIQUE,
  created_at timestamptz DEFAULT now(),
  payload bytea
);
`;

export class RoomLife1763750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [participants, replicas, roomEvents, polls, roomMedia, messages])
      await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE socket_io_attachments, room_media, poll_votes, polls, room_commands');
    await queryRunner.query('DROP TABLE room_events, room_feeds, gateway_replicas');
    await queryRunner.query('ALTER TABLE room_messages DROP COLUMN sender_name');
    await queryRunner.query(`DELETE FROM participants WHERE kind = 'externalSession'`);
    await queryRunner.query(`ALTER TABLE participants DROP COLUMN kind, DROP COLUMN session_id,
      DROP COLUMN connected_at, DROP COLUMN connection_id, DROP COLUMN replica_id, DROP COLUMN is_connected,
      DROP COLUMN grace_until, DROP COLUMN tracks, DROP COLUMN granted, DROP COLUMN requests, DROP COLUMN breakout,
      DROP COLUMN whiteboard, DROP COLUMN health`);
  }
}

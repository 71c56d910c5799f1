import type { MigrationInterface, QueryRunner } from 'typeorm';

const participants = `
CREATE TABLE participants (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('host', 'cohost', 'participant', 'viewer')),
  state text NOT NULL CHECK (state IN ('joined', 'left')),
  joined_at timestamptz(3) NOT NULL,
  left_at timestamptz(3),
  leave_reason text
);
CREATE INDEX participants_by_room ON participants (meeting_id, joined_at DESC, id DESC);
CREATE INDEX participants_joined ON participants (meeting_id) WHERE state = 'joined';
`;

export class Participants1763733001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(participants);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE participants');
  }
}

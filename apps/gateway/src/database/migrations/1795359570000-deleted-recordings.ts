import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counting } from './1763745000000-list-counts.js';

const table = `
CREATE TABLE deleted_recordings (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  recording jsonb NOT NULL
);
CREATE INDEX deleted_recordings_by_account ON deleted_recordings (account_id, created_at DESC, id DESC);
CREATE INDEX deleted_recordings_by_room ON deleted_recordings (account_id, meeting_id, created_at DESC, id DESC);
CREATE INDEX deleted_recordings_of_room ON deleted_recordings (meeting_id);
`;

/** The logs of recordings outlive their files. */
export class DeletedRecordings1795359570000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(table);
    const scopes = [['account_id'], ['account_id', 'meeting_id']];
    await queryRunner.query(counting({ table: 'deleted_recordings', scopes, facets: [] }));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE deleted_recordings');
    await queryRunner.query('DROP FUNCTION count_deleted_recordings, recount_deleted_recordings');
    await queryRunner.query(`DELETE FROM list_changes WHERE list = 'deleted_recordings'`);
    await queryRunner.query(`DELETE FROM list_counts WHERE list = 'deleted_recordings'`);
  }
}

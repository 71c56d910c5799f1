import type { MigrationInterface, QueryRunner } from 'typeorm';
import { notedRestreams } from './1795456600001-restreams.js';
import { replaceNoteFunction } from './account-events/outbox.sql.js';

const noted = { ...notedRestreams, shown: { ...notedRestreams.shown, broadcastID: 'source_broadcast_id' } };

/** Restreams whose source is a broadcast instead of an external session. */
export class BroadcastRestreams1795456800001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE restreams
  ADD COLUMN source_broadcast_id text REFERENCES broadcasts (id) ON DELETE CASCADE,
  ALTER COLUMN source_session_id DROP NOT NULL,
  ADD CONSTRAINT restreams_one_source CHECK (num_nonnulls(source_session_id, source_broadcast_id) = 1) NOT VALID;
CREATE INDEX restreams_by_broadcast ON restreams (source_broadcast_id) WHERE source_broadcast_id IS NOT NULL;
${replaceNoteFunction(noted)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DELETE FROM restreams WHERE source_session_id IS NULL;
${replaceNoteFunction(notedRestreams)}
ALTER TABLE restreams
  DROP CONSTRAINT restreams_one_source,
  DROP COLUMN source_broadcast_id,
  ALTER COLUMN source_session_id SET NOT NULL`);
  }
}

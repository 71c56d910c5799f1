import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replacedNoteFunction } from './account-events/outbox.sql.js';

const layout = { layout: "composition->>'layout'" };

/**
 * Compositions of rooms. `composition`: the form of the picture; NULL: the recording or broadcast has one source. `composed`: the room
 * as its transcoder has it.
 */
export class Compositions1795456500001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['recordings', 'broadcasts']) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN composition jsonb, ADD COLUMN composed jsonb`);
      await queryRunner.query(replacedNoteFunction(table, layout));
    }
    await queryRunner.query(`
ALTER TABLE broadcasts DROP CONSTRAINT broadcasts_one_source;
ALTER TABLE broadcasts ADD CONSTRAINT broadcasts_one_source
  CHECK (num_nonnulls(source_session_id, source_participant_id, composition) = 1) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DELETE FROM broadcasts WHERE composition IS NOT NULL;
ALTER TABLE broadcasts DROP CONSTRAINT broadcasts_one_source;
ALTER TABLE broadcasts ADD CONSTRAINT broadcasts_one_source
  CHECK ((source_session_id IS NULL) <> (source_participant_id IS NULL))`);
    for (const table of ['recordings', 'broadcasts']) {
      await queryRunner.query(replacedNoteFunction(table, {}));
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN composition, DROP COLUMN composed`);
    }
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A broadcast is made of an external session or of a member; `source_tracks`: those of the member's it is made of. */
const broadcasts = `
ALTER TABLE broadcasts
  ALTER COLUMN source_session_id DROP NOT NULL,
  ADD COLUMN source_participant_id text REFERENCES participants (id) ON DELETE CASCADE,
  ADD COLUMN source_tracks jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT broadcasts_one_source CHECK ((source_session_id IS NULL) <> (source_participant_id IS NULL));
CREATE INDEX broadcasts_by_participant ON broadcasts (source_participant_id) WHERE source_participant_id IS NOT NULL;
`;

export class BroadcastSources1763757000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(broadcasts);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DELETE FROM broadcasts WHERE source_session_id IS NULL;
DROP INDEX broadcasts_by_participant;
ALTER TABLE broadcasts DROP CONSTRAINT broadcasts_one_source, DROP COLUMN source_participant_id,
  DROP COLUMN source_tracks, ALTER COLUMN source_session_id SET NOT NULL;`);
  }
}

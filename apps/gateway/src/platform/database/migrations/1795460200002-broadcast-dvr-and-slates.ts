import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replacedNoteFunction } from './account-events/outbox.sql.js';

const shownBefore = { layout: "composition->>'layout'" };
const shown = {
  ...shownBefore,
  ...{ dvrSeconds: 'dvr_seconds', slateImageUrl: 'slate_image_url', slateProblem: 'slate_problem' },
};

/**
 * Broadcasts whose viewers can seek back, and images that broadcasts show while their source is lost. The default is for gateways of the
 * former version, which leave the other columns empty.
 */
export class BroadcastDvrAndSlates1795460200002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE broadcasts
  ADD COLUMN dvr_seconds integer NOT NULL DEFAULT 0,
  ADD COLUMN slate_image_url text,
  ADD COLUMN slate_problem text;
${replacedNoteFunction('broadcasts', shown)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
${replacedNoteFunction('broadcasts', shownBefore)}
ALTER TABLE broadcasts
  DROP COLUMN dvr_seconds,
  DROP COLUMN slate_image_url,
  DROP COLUMN slate_problem`);
  }
}

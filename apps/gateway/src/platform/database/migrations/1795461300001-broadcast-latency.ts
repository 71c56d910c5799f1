import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replacedNoteFunction } from './account-events/outbox.sql.js';

const shownBefore = {
  layout: "composition->>'layout'",
  ...{ dvrSeconds: 'dvr_seconds', slateImageUrl: 'slate_image_url', slateProblem: 'slate_problem' },
};

/** Broadcasts by low-latency HLS. The default is for gateways of the former version. */
export class BroadcastLatency1795461300001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE broadcasts ADD COLUMN latency text NOT NULL DEFAULT 'normal';
${replacedNoteFunction('broadcasts', { ...shownBefore, latency: 'latency' })}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
${replacedNoteFunction('broadcasts', shownBefore)}
ALTER TABLE broadcasts DROP COLUMN latency`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** External sessions whose ingest node encodes smaller pictures. The default is for gateways of the former version. */
export class WebrtcRenditions1795456700001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE external_sessions ADD COLUMN webrtc_renditions boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE external_sessions DROP COLUMN webrtc_renditions');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The playback of HLS viewers, like `viewer_samples`. The rows go with their broadcast, and after a day. */
export class HlsViewerSamples1795461500001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE hls_viewer_samples (
  broadcast_id text NOT NULL REFERENCES broadcasts (id) ON DELETE CASCADE,
  minute timestamptz(3) NOT NULL,
  viewer_id text COLLATE "C" NOT NULL,
  samples smallint[] NOT NULL,
  PRIMARY KEY (broadcast_id, minute, viewer_id)
);
CREATE INDEX hls_viewer_samples_by_minute ON hls_viewer_samples (minute)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE hls_viewer_samples');
  }
}

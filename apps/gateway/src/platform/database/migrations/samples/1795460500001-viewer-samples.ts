import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The media that viewers received: a row a minute and viewer (docs/decisions/samples-by-the-minute.md). `viewer_id` is sorted by bytes, as
 * media nodes sort it. The rows go with their playback, and after a day.
 */
export class ViewerSamples1795460500001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE viewer_samples (
  playback_id text NOT NULL REFERENCES playbacks (id) ON DELETE CASCADE,
  minute timestamptz(3) NOT NULL,
  viewer_id text COLLATE "C" NOT NULL,
  samples smallint[] NOT NULL,
  PRIMARY KEY (playback_id, minute, viewer_id)
);
CREATE INDEX viewer_samples_by_minute ON viewer_samples (minute)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE viewer_samples');
  }
}

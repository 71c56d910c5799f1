import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stream keys and passphrases of encoders that publish by SRT, RTMP or RTMPS. */
export class IngestKeys1795456300001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE ingest_keys (
  session_id text PRIMARY KEY REFERENCES external_sessions (id) ON DELETE CASCADE,
  protocol text NOT NULL CHECK (protocol IN ('srt', 'rtmp', 'rtmps')),
  key_hash bytea UNIQUE,
  encrypted_passphrase bytea,
  node_id text NOT NULL,
  port integer NOT NULL,
  usable_until timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  problem text,
  CONSTRAINT ingest_keys_one_secret CHECK ((key_hash IS NULL) <> (encrypted_passphrase IS NULL))
);
CREATE INDEX ingest_keys_by_srt_node ON ingest_keys (node_id) WHERE protocol = 'srt'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ingest_keys');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Encoders that an ingest node calls by SRT. Gateways of the former version leave both columns empty. */
export class IngestCalls1795460200001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE ingest_keys
  ADD COLUMN call_url text,
  ADD COLUMN encrypted_call_secrets bytea,
  ALTER COLUMN port DROP NOT NULL,
  DROP CONSTRAINT ingest_keys_one_secret,
  ADD CONSTRAINT ingest_keys_one_secret
    CHECK (num_nonnulls(key_hash, encrypted_passphrase, call_url) = 1),
  ADD CONSTRAINT ingest_keys_call_secrets CHECK (encrypted_call_secrets IS NULL OR call_url IS NOT NULL)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DELETE FROM ingest_keys WHERE call_url IS NOT NULL;
ALTER TABLE ingest_keys
  DROP COLUMN call_url,
  DROP COLUMN encrypted_call_secrets,
  ALTER COLUMN port SET NOT NULL,
  ADD CONSTRAINT ingest_keys_one_secret CHECK ((key_hash IS NULL) <> (encrypted_passphrase IS NULL))`);
  }
}

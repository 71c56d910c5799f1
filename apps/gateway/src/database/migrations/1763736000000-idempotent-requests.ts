import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `id` is a hash of account, path and key; `account_id` is `administrator` for the administration's. */
const requestsTable = `
CREATE TABLE idempotent_requests (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  fingerprint bytea NOT NULL,
  sealed_answer bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (created_at);
`;

export class IdempotentRequests1763736000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(requestsTable);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotent_requests');
  }
}

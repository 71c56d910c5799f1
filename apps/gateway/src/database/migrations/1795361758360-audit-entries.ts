import type { MigrationInterface, QueryRunner } from 'typeorm';

/** It refers to no other table: an entry outlives what it names. */
const table = `
CREATE TABLE audit_entries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text,
  action text NOT NULL,
  account_id text,
  details jsonb NOT NULL,
  address text NOT NULL,
  request_id text NOT NULL,
  outcome text NOT NULL,
  reason text
);
CREATE INDEX audit_entries_by_time ON audit_entries (at);
CREATE INDEX audit_entries_of_account ON audit_entries (account_id, number);
`;

export class AuditEntries1795361758360 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(table);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_entries');
  }
}

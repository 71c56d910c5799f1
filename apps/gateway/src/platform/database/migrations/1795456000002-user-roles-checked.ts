import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes } from './concurrent-indexes.js';

/** Checks the rows and builds the index without blocking the gateways. */
export class UserRolesChecked1795456000002 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const constraint of ['dashboard_users_known_role', 'dashboard_users_member_has_account']) {
      await queryRunner.query(`ALTER TABLE dashboard_users VALIDATE CONSTRAINT ${constraint}`);
    }
    await buildIndexes(queryRunner, { dashboard_users_by_member_account: 'ON dashboard_users (member_account_id)' });
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Gateways of the first release work with this schema. Leave it as it is.'));
  }
}

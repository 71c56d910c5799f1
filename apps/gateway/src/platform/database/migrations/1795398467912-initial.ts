import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accounts } from './initial/accounts.sql.js';
import { countedLists } from './initial/counted-lists.sql.js';
import { media } from './initial/media.sql.js';
import { platform } from './initial/platform.sql.js';
import { rooms } from './initial/rooms.sql.js';
import { settings } from './initial/settings.sql.js';
import { usage } from './initial/usage.sql.js';
import { users } from './initial/users.sql.js';

/** The schema of the first release. Later releases add migrations and leave this one as it is. */
export class Initial1795398467912 implements MigrationInterface {
  /** Each part refers only to tables of the parts before it. */
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const part of [platform, accounts, users, usage, settings, rooms, media, countedLists]) {
      await queryRunner.query(part);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Nothing comes before the first migration. Delete the database instead.'));
  }
}

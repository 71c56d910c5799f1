import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes, type IndexDefinitions } from '../concurrent-indexes.js';

const newestFirst = 'created_at DESC, id DESC';
const roomColumns = 'INCLUDE (state, event_type, room_name)';
/** Lists of one environment walk along their own rows only, however many rows the other environment has. */
const indexes: IndexDefinitions = {
  rooms_by_environment: `ON rooms (account_id, key_type, ${newestFirst}) ${roomColumns}`,
  rooms_active_by_environment: `ON rooms (account_id, key_type, ${newestFirst}) ${roomColumns} WHERE state = 'active'`,
  recordings_by_environment: `ON recordings (account_id, key_type, ${newestFirst})`,
  deleted_recordings_by_environment: `ON deleted_recordings (account_id, key_type, ${newestFirst})`,
  room_messages_by_environment: `ON room_messages (account_id, key_type, ${newestFirst})`,
  sip_calls_by_environment: `ON sip_calls (account_id, key_type, ${newestFirst})`,
};
/** No statement reads these of a whole account any more. */
const former: IndexDefinitions = Object.fromEntries(
  ['deleted_recordings', 'room_messages', 'sip_calls'].map(table => [
    `${table}_by_account`,
    `ON ${table} (account_id, ${newestFirst})`,
  ]),
);

const rowsAtOnce = 5_000;
const tables = ['recordings', 'deleted_recordings', 'room_messages', 'sip_calls'];

const fillStatement = (table: string): string => `
UPDATE ${table} AS filled
SET key_type = COALESCE((SELECT key_type FROM rooms WHERE rooms.id = filled.meeting_id), 'production')
WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE key_type IS NULL LIMIT ${rowsAtOnce}))`;

/** Rooms say by which type of key they were made. */
export class EnvironmentsOfRows1795360120414 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await fill(queryRunner, table);
    await buildIndexes(queryRunner, indexes);
    await dropIndexes(queryRunner, former);
    await renewNameIndex(queryRunner, '(account_id, key_type, room_name)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await renewNameIndex(queryRunner, '(account_id, room_name)');
    await buildIndexes(queryRunner, former);
    await dropIndexes(queryRunner, indexes);
  }
}

async function fill(queryRunner: QueryRunner, table: string): Promise<void> {
  let filled: number;
  do {
    [, filled] = (await queryRunner.query(fillStatement(table))) as [unknown, number];
  } while (filled > 0);
}

/** The names of sandbox rooms are not taken for production. A name is taken at every moment of the change. */
async function renewNameIndex(queryRunner: QueryRunner, columns: string): Promise<void> {
  await buildIndexes(queryRunner, { rooms_active_name_new: `ON rooms ${columns} WHERE state = 'active'` }, 'UNIQUE');
  await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS rooms_active_name');
  await queryRunner.query('ALTER INDEX rooms_active_name_new RENAME TO rooms_active_name');
}

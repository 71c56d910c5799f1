import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countingFunctions, type CountedTable } from './1763745000000-list-counts.js';

const ofAccount = [['account_id']];
const ofAccountAndRoom = [...ofAccount, ['account_id', 'meeting_id']];

/** With the filters that they had; the environment comes last, so that gateways of a former version go on counting. */
const lists: readonly CountedTable[] = [
  { table: 'rooms', scopes: ofAccount, facets: ['state', 'event_type'] },
  { table: 'recordings', scopes: ofAccountAndRoom, facets: ['state'] },
  { table: 'deleted_recordings', scopes: ofAccountAndRoom, facets: [] },
  { table: 'room_messages', scopes: ofAccountAndRoom, facets: [] },
  { table: 'sip_calls', scopes: ofAccountAndRoom, facets: [] },
];

/** The environment of a row never changes, so that the triggers stay as they are. */
export class CountsByEnvironment1795360120415 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await recount(
      queryRunner,
      lists.map(each => ({ ...each, facets: [...each.facets, 'key_type'] })),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await recount(queryRunner, lists);
  }
}

async function recount(queryRunner: QueryRunner, counted: readonly CountedTable[]): Promise<void> {
  for (const each of counted) {
    await queryRunner.query(countingFunctions(each));
    await queryRunner.query(`SELECT recount_${each.table}()`);
  }
}

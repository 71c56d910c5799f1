import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes, type IndexDefinitions } from '../concurrent-indexes.js';

const tables = ['external_sessions', 'playbacks', 'broadcasts'];
const live = `WHERE state NOT IN ('ended', 'failed')`;

function indexesOf(name: string, columns: string): IndexDefinitions {
  return Object.fromEntries(tables.map(table => [`${table}_${name}`, `ON ${table} ${columns} ${live}`]));
}

/** In the order of the pages that the reconciler reads, with the rooms that the sweep looks for. */
const indexes = indexesOf('live_by_id', '(id) INCLUDE (meeting_id)');
/** No statement looks for a node; what reads all live rows finds them in the new index. */
const former = indexesOf('live', '(node_id)');

export class LiveMediaIndexes1763769000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, indexes);
    await dropIndexes(queryRunner, former);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, former);
    await dropIndexes(queryRunner, indexes);
  }
}

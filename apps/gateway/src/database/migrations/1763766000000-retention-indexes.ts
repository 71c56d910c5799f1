import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes } from '../concurrent-indexes.js';

/** What is over is found by its end, and what refers to a room that goes is found by the room. */
const indexes = {
  rooms_by_end: `ON rooms (ended_at) WHERE state = 'ended'`,
  recordings_of_room: 'ON recordings (meeting_id)',
  room_messages_of_room: 'ON room_messages (meeting_id)',
  sip_calls_of_room: 'ON sip_calls (meeting_id) WHERE meeting_id IS NOT NULL',
  room_messages_by_time: 'ON room_messages (created_at)',
  sip_calls_by_time: 'ON sip_calls (created_at)',
  usage_intervals_by_end: 'ON usage_intervals (ended_at) WHERE settled',
  disposable_keys_by_end: 'ON disposable_keys (LEAST(revoked_at, expires_at))',
  api_keys_by_end: 'ON api_keys (LEAST(revoked_at, expires_at))',
  deleted_records_by_time: 'ON deleted_records (deleted_at)',
};

export class RetentionIndexes1763766000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, indexes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexes(queryRunner, indexes);
  }
}

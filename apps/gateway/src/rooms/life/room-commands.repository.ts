import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type SocketCommandName } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

/** The participant and its own ID for the command identify a command. */
interface CommandKey {
  participantID: string;
  commandID: string;
  name: SocketCommandName;
}

const findStatement = 'SELECT name, reply FROM room_commands WHERE participant_id = $1 AND command_id = $2';
const insertStatement = `
INSERT INTO room_commands (participant_id, command_id, name, reply, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING`;

/** A client repeats a command within seconds of a lost connection, so an hour is enough. */
const forgetStatement = `DELETE FROM room_commands WHERE created_at < $1::timestamptz - interval '1 hour'`;

/**
 * Replies to commands, so that a repeated command runs once. Each command runs two of these statements, and the query builder
 * takes longer to write such a statement than PostgreSQL takes to run it.
 */
@Injectable()
export class RoomCommandsRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The stored reply; undefined before the command ran. */
  async find(key: CommandKey, manager: EntityManager = this.dataSource.manager): Promise<object | undefined> {
    const parameters = [key.participantID, key.commandID];
    const [row] = await manager.query<{ name: string; reply: object }[]>(findStatement, parameters);
    if (row && row.name !== key.name)
      throw new ServiceError('idempotency_key_reused', 'This commandID was used for another command before.');
    return row?.reply;
  }

  async keep(key: CommandKey, reply: object, manager: EntityManager = this.dataSource.manager): Promise<void> {
    const { participantID, commandID, name } = key;
    const row = [participantID, commandID, name, JSON.stringify(reply), new Date(this.clock.now())];
    await manager.query(insertStatement, row);
  }

  async forgetOld(): Promise<void> {
    await this.dataSource.query(forgetStatement, [new Date(this.clock.now())]);
  }
}

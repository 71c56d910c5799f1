import { Injectable } from '@nestjs/common';
import type { ComposedRoom } from '@rtms/contracts';
import { DataSource, IsNull, Not } from 'typeorm';
import { unannounced } from '../../platform/changes/announced-tables.js';
import { live, running } from '../../platform/rows/live-states.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { compositionsOnly } from '../resources/composition-of.js';
import { Recording } from '../resources/recording.entity.js';

const placed = { ...compositionsOnly, nodeEpoch: Not(IsNull()) };

/** Reads compositions of rooms, and keeps what their transcoders have. */
@Injectable()
export class CompositionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async hasAny(): Promise<boolean> {
    const { manager } = this.dataSource;
    const isRecorded = await manager.existsBy(Recording, { ...compositionsOnly, ...running });
    return isRecorded || (await manager.existsBy(Broadcast, { ...compositionsOnly, ...live }));
  }

  /** The compositions that a transcoder has. */
  async list(): Promise<(Recording | Broadcast)[]> {
    const { manager } = this.dataSource;
    const recordings = await manager.findBy(Recording, { ...placed, ...running });
    return [...recordings, ...(await manager.findBy(Broadcast, { ...placed, ...live }))];
  }

  /** Stores the room that the transcoder of the row has now. Clients see nothing of it. */
  async keep(row: Recording | Broadcast, room: ComposedRoom): Promise<void> {
    const table = row instanceof Recording ? 'recordings' : 'broadcasts';
    const statement = `${unannounced} UPDATE ${table} SET composed = $3 WHERE id = $1 AND node_epoch = $2`;
    await this.dataSource.query(statement, [row.id, row.nodeEpoch, JSON.stringify(room)]);
  }
}

import { Injectable } from '@nestjs/common';
import { inTurns } from '../background/in-turns.js';
import { closeRoom } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { findLeaving, placeOf } from './find-leaving.js';
import { PlaybackRepair } from './playback-repair.service.js';
import { SessionRepair } from './session-repair.service.js';
import type { Snapshot } from './snapshot.js';

/**
 * Takes rooms away from drained nodes as soon as nobody publishes by an external session in them. Publishers and viewers
 * find them on another node by the URLs they have; members get an event to open their media anew.
 */
@Injectable()
export class RoomEvacuation {
  constructor(
    private readonly sessions: SessionRepair,
    private readonly playbacks: PlaybackRepair,
    private readonly commands: WorkerCommands,
  ) {}

  async evacuate(snapshot: Snapshot): Promise<void> {
    const leaving = await findLeaving(snapshot);
    if (leaving.length === 0) return;
    const places = new Set(leaving.map(placeOf));
    // The former node lets go first, so that never two answer for the room.
    await this.commands.tell(leaving.flatMap(closeRoom));
    await this.sessions.reopen(await rowsAt(places, snapshot.sessions.values()));
    await this.playbacks.reopen(await rowsAt(places, snapshot.playbacks.values()));
  }
}

async function rowsAt<Row extends Parameters<typeof placeOf>[0]>(
  places: ReadonlySet<string>,
  rows: Iterable<Row>,
): Promise<Row[]> {
  const found: Row[] = [];
  await inTurns(rows, row => {
    if (places.has(placeOf(row))) found.push(row);
  });
  return found;
}

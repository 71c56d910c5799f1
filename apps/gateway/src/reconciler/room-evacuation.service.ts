import { Injectable } from '@nestjs/common';
import { closeRoom } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { findLeaving, type LeavingRoom } from './find-leaving.js';
import { PlaybackRepair } from './playback-repair.service.js';
import { SessionRepair } from './session-repair.service.js';
import type { Snapshot } from './snapshot.js';

/**
 * Takes rooms away from nodes that are drained, as soon as nobody publishes by an external session in them: publishers
 * and viewers find them on another node by the URLs they have, members are told to open their media anew.
 */
@Injectable()
export class RoomEvacuation {
  constructor(
    private readonly sessions: SessionRepair,
    private readonly playbacks: PlaybackRepair,
    private readonly commands: WorkerCommands,
  ) {}

  async evacuate(snapshot: Snapshot): Promise<void> {
    await Promise.all(findLeaving(snapshot).map(room => this.move(room, snapshot)));
  }

  /** The former node lets go first, so that never two answer for the room. */
  private async move(room: LeavingRoom, { sessions, playbacks }: Snapshot): Promise<void> {
    const isIn = (row: { meetingID: string; nodeID: string | null }) =>
      row.meetingID === room.meetingID && row.nodeID === room.nodeID;
    await this.commands.tell(closeRoom(room));
    await this.sessions.reopen(sessions.filter(isIn));
    await this.playbacks.reopen(playbacks.filter(isIn));
  }
}

import { Injectable } from '@nestjs/common';
import { sfuCommands, transcoderCommands, type NodeCommand, type NodeLease, type SfuInventory } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { Broadcast } from '../broadcasts/broadcast.entity.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { live } from '../media/locked-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { Playback } from '../playbacks/playback.entity.js';
import { running } from '../recordings/recording-lifecycle.service.js';
import { Recording } from '../recordings/recording.entity.js';
import { RoomStateService } from '../rooms/room-state.service.js';
import type { NodeView } from './holding.js';
import type { Snapshot } from './snapshot.js';

/** Asks all workers what they hold, and then the database. */
@Injectable()
export class SnapshotTaker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
    private readonly rooms: RoomStateService,
  ) {}

  /** In this order, since a row is there before a worker hears of it: what a worker has and no row is, is over. */
  async take(): Promise<Snapshot> {
    const isSettled = this.nodes.isSettled();
    const [sfus, transcoders] = await Promise.all([
      this.ask(this.nodes.list('sfu'), sfuCommands.inventory),
      this.ask(this.nodes.list('transcoder'), transcoderCommands.inventory),
    ]);
    const [sessions, playbacks, broadcasts, recordings, runningMeetings] = await Promise.all([
      this.dataSource.manager.findBy(ExternalSession, live),
      this.dataSource.manager.findBy(Playback, live),
      this.dataSource.manager.findBy(Broadcast, live),
      this.dataSource.manager.findBy(Recording, running),
      this.rooms.whichRun(meetingsOf(sfus)),
    ]);
    return { sessions, playbacks, broadcasts, recordings, runningMeetings, sfus, transcoders, isSettled };
  }

  private ask<Inventory>(
    nodes: readonly NodeLease[],
    command: NodeCommand<Record<string, never>, Inventory>,
  ): Promise<NodeView<Inventory>[]> {
    return Promise.all(
      nodes.map(async lease => {
        const answer = this.commands.ask(command.forNode(lease.nodeID), {});
        return { lease, inventory: await answer.catch(() => undefined) };
      }),
    );
  }
}

function meetingsOf(sfus: readonly NodeView<SfuInventory>[]): string[] {
  return [...new Set(sfus.flatMap(({ inventory }) => inventory?.meetingIDs ?? []))];
}

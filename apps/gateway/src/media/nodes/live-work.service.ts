import { Injectable } from '@nestjs/common';
import {
  addPage,
  ingestCommands,
  inventoryPageSize,
  sfuCommands,
  transcoderCommands,
  type NodeLease,
  type SfuInventory,
} from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { features, type Feature } from '../../accounts/features/features.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { Playback } from '../resources/playback.entity.js';

/** A node that returns pages without end must not block its reader. */
const pagesAtMost = 200;

/** The work that a node has now. A drain takes it away. */
export interface NodeWork {
  rooms: number;
  /** External sessions with a live publisher. */
  sessions: number;
  /** Members with media, without publishers of sessions. */
  members: number;
  /** Viewers of its rooms, also those whom other nodes serve. */
  viewers: number;
  /** Viewers of other nodes' rooms whom this node serves. */
  relayedViewers: number;
  broadcasts: number;
  recordings: number;
  restreams: number;
  /** Encoders that publish by SRT, RTMP or RTMPS. */
  encoders: number;
}

const noWork: NodeWork = {
  ...{ rooms: 0, sessions: 0, members: 0, viewers: 0, relayedViewers: 0 },
  ...{ broadcasts: 0, recordings: 0, restreams: 0, encoders: 0 },
};

/** Counts running media, so that an administrator knows the consequences of a change. */
@Injectable()
export class LiveWorkService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommandsService,
  ) {}

  /** Asks the node. Throws `controller_unavailable` when it does not answer. */
  async onNode({ role, nodeID }: NodeLease): Promise<NodeWork> {
    if (role === 'sfu') return this.onSfu(nodeID);
    if (role === 'ingest') {
      const { sessions } = await this.commands.ask(ingestCommands.inventory.forNode(nodeID), {});
      return { ...noWork, encoders: sessions.filter(({ state }) => state === 'publishing').length };
    }
    const inventory = await this.commands.ask(transcoderCommands.inventory.forNode(nodeID), {});
    const { broadcasts, recordings, restreams = [] } = inventory;
    return {
      ...noWork,
      ...{ broadcasts: broadcasts.length, recordings: recordings.length, restreams: restreams.length },
    };
  }

  /** Live resources on the platform by the feature that they use. */
  async byFeature(): Promise<Record<Feature, number>> {
    const { manager } = this.dataSource;
    const publishers = await manager
      .createQueryBuilder(ExternalSession, 'session')
      .select('session.protocol', 'protocol')
      .addSelect('count(*)::int', 'count')
      .where({ state: 'active' })
      .groupBy('session.protocol')
      .getRawMany<{ protocol: string; count: number }>();
    const use = features.map(feature => [feature, publishers.find(each => each.protocol === feature)?.count ?? 0]);
    return {
      ...(Object.fromEntries(use) as Record<Feature, number>),
      whep: await manager.countBy(Playback, { state: 'active' }),
      hls: await manager.countBy(Broadcast, { state: 'active' }),
    };
  }

  private async onSfu(nodeID: string): Promise<NodeWork> {
    const { meetingIDs, sessions, members, relayedViewers = 0 } = await readSfuInventory(this.commands, nodeID);
    const viewers = await this.dataSource.manager.sum(Playback, 'viewerCount', { nodeID, state: 'active' });
    return {
      ...noWork,
      rooms: meetingIDs.length,
      sessions: sessions.filter(({ state }) => state === 'active').length,
      members: members.length,
      viewers: viewers ?? 0,
      relayedViewers,
    };
  }
}

/** Reads pages, because a NATS message holds at most 1 MB. */
export async function readSfuInventory(commands: WorkerCommandsService, nodeID: string): Promise<SfuInventory> {
  const address = sfuCommands.inventory.forNode(nodeID);
  const all = await commands.ask(address, { atMost: inventoryPageSize });
  for (let pages = 1; all.next !== undefined; pages++) {
    if (pages === pagesAtMost) throw new Error(`The node has more than ${pagesAtMost} pages of ${inventoryPageSize}.`);
    const page = await commands.ask(address, { atMost: inventoryPageSize, after: all.next });
    addPage(all, page);
    all.next = page.next;
  }
  return all;
}

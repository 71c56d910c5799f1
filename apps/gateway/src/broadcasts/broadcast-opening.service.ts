import { Injectable } from '@nestjs/common';
import { ServiceError, transcoderCommands, type NodeLease } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { SessionSources, type Source } from '../external-sessions/session-sources.service.js';
import { newID } from '../ids/new-id.js';
import { stopBroadcast } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { live } from '../media/locked-rows.js';
import { makeMediaRow, placedOn } from '../media/make-media-row.js';
import type { Owner } from '../media/owned-rows.js';
import { requireKinds } from '../media/require-kinds.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { requireNode } from '../nodes/require-node.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { Broadcast } from './broadcast.entity.js';

/** Starts broadcasts on the least loaded transcoder that takes them. */
@Injectable()
export class BroadcastOpening {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSources,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
  ) {}

  /** The row is stored before a node hears of it, so that no fact comes too early; on failure nothing is left. */
  async open(row: Broadcast, roomExpiresAt: Date, requestID: string): Promise<void> {
    const source = await this.insert(row);
    try {
      await this.startSomewhere(row, source, roomExpiresAt, requestID);
    } catch (error) {
      await this.dataSource.manager.delete(Broadcast, row.id);
      void this.commands.tell(stopBroadcast(row), requestID);
      throw error;
    }
  }

  /** Tries transcoders, best first; the row is moved to each before it hears of it. */
  async startSomewhere(row: Broadcast, source: Source, roomExpiresAt: Date, requestID?: string): Promise<void> {
    const choose = (excluded: ReadonlySet<string>) => requireNode(this.nodes.list('transcoder'), excluded);
    await tryNodes(choose, node => this.startOn(node, row, source, roomExpiresAt, requestID));
  }

  private async startOn(
    node: NodeLease,
    row: Broadcast,
    source: Source,
    roomExpiresAt: Date,
    requestID?: string,
  ): Promise<void> {
    await this.place(row, node);
    const request = {
      broadcastID: row.id,
      meetingID: row.meetingID,
      sessionID: row.sourceSessionID,
      sfuNodeID: source.nodeID,
      tracks: row.tracks,
      roomExpiresAt: roomExpiresAt.toISOString(),
    };
    await this.commands.ask(transcoderCommands.startBroadcast.forNode(node.nodeID), request, requestID);
  }

  /** Whatever ended the broadcast in the meantime has the last word. */
  private async place(row: Broadcast, node: NodeLease): Promise<void> {
    const placement = { ...placedOn(node, new Date()), state: 'starting' as const, graceUntil: null };
    const { affected } = await this.dataSource.manager.update(Broadcast, { id: row.id, ...live }, placement);
    if (affected !== 1) throw new ServiceError('source_not_active', 'The source session has ended.');
    Object.assign(row, placement);
  }

  private insert(row: Broadcast): Promise<Source> {
    return this.dataSource.transaction(async manager => {
      const source = await this.sources.requireActive(manager, { ...row, sessionID: row.sourceSessionID });
      requireKinds(['video'], source.kinds);
      row.tracks = source.kinds;
      await manager.insert(Broadcast, row);
      return source;
    });
  }
}

export function makeBroadcast(owner: Owner, sourceSessionID: string, now: Date): Broadcast {
  return Object.assign(new Broadcast(), makeMediaRow(newID('bcast'), owner, now), {
    sourceSessionID,
    tracks: [],
    state: 'starting' as const,
    renditions: [],
  });
}

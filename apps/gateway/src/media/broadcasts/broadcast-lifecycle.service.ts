import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type BroadcastFact,
  type EndReason,
  type Fact,
  type ContinuedBroadcast,
  type NodeLease,
} from '@rtms/contracts';
import { DataSource, In, type EntityManager, type FindOptionsWhere } from 'typeorm';
import {
  interruptBroadcast,
  noteLostNode,
  resumeBroadcast,
  stopBroadcast,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import { lockLive, lockRow, updateAll, updateRow } from '../resources/locked-rows.js';
import { live } from '../../platform/rows/live-states.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { decideBroadcastFact, endedBroadcast } from './decide-broadcast-fact.js';
import { isCurrent, makeMediaRow, placedOn } from '../resources/placement.js';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { AccountQuotasService } from '../../accounts/limits/account-quotas.service.js';
import { explainViolation } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import type { Owner } from '../resources/owned-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { tryTranscoders } from '../nodes/try-nodes.js';
import { mediaBounds } from '../nodes/media-bounds.js';
import type { Room } from '../../rooms/room/rooms.service.js';
import { compositionRequest } from '../resources/composition-of.js';
import { insertWithinQuota } from '../resources/composition-quota.js';
import { RoomSourcesService } from '../sources/room-sources.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { SourcesService, type BroadcastSource } from '../sources/sources.service.js';
import type { SourceChoice } from './broadcast.dto.js';

const explain = explainViolation({
  broadcasts_one_per_layout: [
    'already_exists',
    'The room is already broadcast in this layout. End that broadcast first.',
  ],
});

const nothing = { commands: [] as WorkerCommand[], isRepairWanted: false };

interface StartOptions {
  room: Pick<Room, 'expiresAt' | 'settings'>;
  requestID?: string;
  /** Set when another transcoder has published part of the broadcast. */
  goesOn?: {
    /** The internal address of the living transcoder that hands the broadcast over. */
    formerUrl: string | undefined;
  };
}

/**
 * Starts broadcasts on the least loaded transcoder that accepts them, changes their states and ends them. Callers send the
 * returned commands after the commit.
 */
@Injectable()
export class BroadcastLifecycleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SourcesService,
    private readonly roomSources: RoomSourcesService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    private readonly quotas: AccountQuotasService,
    private readonly restreams: RestreamLifecycleService,
    private readonly domainEvents: DomainEvents,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: Broadcast, room: StartOptions['room'], requestID: string): Promise<void> {
    const source = await this.insert(row);
    try {
      await this.startSomewhere(row, source, { room, requestID });
    } catch (error) {
      await this.dataSource.manager.delete(Broadcast, row.id);
      void this.commands.tell(stopBroadcast(row), requestID);
      throw error;
    }
  }

  /** Tries transcoders, best first. Stores each transcoder in the row before the command. */
  async startSomewhere(row: Broadcast, source: BroadcastSource, options: StartOptions): Promise<void> {
    const composing = row.composition ? 'broadcasts' : undefined;
    await tryTranscoders(this.nodes, node => this.startOn(node, row, source, options), composing);
  }

  async applyFact(fact: Fact<BroadcastFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    const { commands, isRepairWanted } = await this.dataSource.transaction(async manager => {
      const row = await lockRow(manager, Broadcast, fact.resourceID);
      if (!row || !isCurrent(row, fact)) return nothing;
      const change = decideBroadcastFact(row, fact.body, timing);
      const { sequence: factSequence } = fact;
      const wasActive = row.state === 'active';
      await updateRow(manager, Broadcast, row, { ...(change !== 'ignored' && change.set), factSequence });
      if (change === 'ignored') return nothing;
      if (change.effect === 'ended') return this.afterEnd(manager, row);
      const isBack = !wasActive && row.state === 'active';
      const hasStraying = isBack && (await this.restreams.hasStraying(manager, row.id, row.nodeID));
      return { commands: [], isRepairWanted: hasStraying || change.effect === 'left' };
    });
    await this.commands.tell(commands);
    if (isRepairWanted) this.domainEvents.emit('repair.wanted');
  }

  private async afterEnd(manager: EntityManager, { id, endReason }: Broadcast) {
    const commands = await this.restreams.endOfBroadcasts(manager, [id], endReason ?? 'source_ended');
    return { commands, isRepairWanted: false };
  }

  async endAll(
    manager: EntityManager,
    where: FindOptionsWhere<Broadcast>,
    reason: EndReason,
    state: 'ended' | 'failed' = 'ended',
  ): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Broadcast, where);
    await updateAll(manager, Broadcast, rows, endedBroadcast(state, reason, new Date(this.clock.now())));
    const ids = rows.map(({ id }) => id);
    return [...(await this.restreams.endOfBroadcasts(manager, ids, reason)), ...rows.flatMap(stopBroadcast)];
  }

  /**
   * Interrupts broadcasts whose sources are lost. Published segments stay, and none follow until a source is back. `moved`: those of
   * the sources that the platform closed, e.g. to drain a node.
   */
  async interruptAll(
    manager: EntityManager,
    sourceSessionIDs: readonly string[],
    moved: ReadonlySet<string | null> = new Set(),
  ): Promise<WorkerCommand[]> {
    if (sourceSessionIDs.length === 0) return [];
    const lost = { sourceSessionID: In(sourceSessionIDs), state: In(['starting', 'active']) };
    const rows = await lockLive(manager, Broadcast, lost);
    await updateAll(manager, Broadcast, rows, { state: 'interrupted' });
    return rows.flatMap(row => interruptBroadcast(row, moved.has(row.sourceSessionID)));
  }

  /**
   * Interrupts broadcasts whose sources are lost with their SFU node. The transcoders keep the feeds, because media workers of a frozen node
   * still send. They notice a silence by themselves, and may have reported it. The commands tell them that it is none of the publisher.
   */
  async interruptLost(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sourceSessionIDs.length === 0) return [];
    const lost = { sourceSessionID: In(sourceSessionIDs), state: In(['starting', 'active', 'interrupted']) };
    const rows = await lockLive(manager, Broadcast, lost);
    await updateAll(manager, Broadcast, rows, { state: 'interrupted' });
    return rows.flatMap(noteLostNode);
  }

  /** Interrupts a broadcast whose member no longer sends video. */
  async interruptMember(manager: EntityManager, id: string): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Broadcast, { id });
    await updateAll(manager, Broadcast, rows, { state: 'interrupted', sourceTracks: [] });
    return rows.flatMap(row => interruptBroadcast(row));
  }

  /** Resumes broadcasts whose sources are back, each on its SFU node. The transcoder then reports them active. */
  async resumeAll(manager: EntityManager, sfuNodes: ReadonlyMap<string, string>): Promise<WorkerCommand[]> {
    if (sfuNodes.size === 0) return [];
    const rows = await manager.findBy(Broadcast, { sourceSessionID: In([...sfuNodes.keys()]), state: 'interrupted' });
    return rows.flatMap(row => {
      const sfuNodeID = sfuNodes.get(row.sourceSessionID ?? '');
      return row.nodeEpoch === null || sfuNodeID === undefined ? [] : resumeBroadcast(row, { sfuNodeID });
    });
  }

  /** No transcoder has capacity now. The reconciler retries until `graceUntil`. */
  async postpone(manager: EntityManager, id: string, graceUntil: Date): Promise<void> {
    await manager.update(Broadcast, { id, ...live }, { state: 'interrupted', nodeEpoch: null, graceUntil });
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Broadcast, { sourceSessionID, ...live });
  }

  private async startOn(
    node: NodeLease,
    row: Broadcast,
    source: BroadcastSource,
    { room, requestID, goesOn }: StartOptions,
  ): Promise<void> {
    await this.place(row, node, source);
    const allowsPrivate = this.config.privateRestreamTargets === true;
    const imageUrl = row.slateImageUrl;
    const request = {
      broadcastID: row.id,
      meetingID: row.meetingID,
      sourceID: source.sourceID,
      sfuNodeID: source.nodeID,
      tracks: row.tracks,
      maxHeight: mediaBounds(room.settings.targetResolution).maxHeight,
      maxSource: await this.limits.readSourceBounds(row.accountID),
      accountID: row.accountID,
      ...(row.dvrSeconds > 0 && { dvrSeconds: row.dvrSeconds }),
      ...(row.latency === 'low' && { latency: row.latency }),
      roomExpiresAt: room.expiresAt.toISOString(),
      ...(imageUrl !== null && { slate: { imageUrl, allowsPrivate, accountID: row.accountID } }),
      ...compositionRequest(row),
      ...(goesOn && { continues: continuation(row, goesOn.formerUrl, this.clock.now()) }),
    };
    await this.commands.ask(transcoderCommands.startBroadcast.forNode(node.nodeID), request, requestID);
  }

  /** Throws when the broadcast has ended meanwhile. */
  private async place(row: Broadcast, node: NodeLease, { trackIDs }: BroadcastSource): Promise<void> {
    const begun = { state: 'starting' as const, graceUntil: null, sourceTracks: trackIDs };
    const { manager } = this.dataSource;
    const composed = row.composition && (await this.roomSources.composeOne(manager, row, row.composition));
    const placement = { ...placedOn(node, new Date(this.clock.now())), ...begun, composed };
    const { affected } = await manager.update(Broadcast, { id: row.id, ...live }, placement);
    if (affected !== 1) throw new ServiceError('source_not_active', 'The source has ended.');
    Object.assign(row, placement);
  }

  private async requireSource(manager: EntityManager, row: Broadcast): Promise<BroadcastSource> {
    const { composition } = row;
    if (!composition) return this.sources.requireForBroadcast(manager, row);
    const tracks = ['video', 'audio'] as const;
    const { source } = await this.roomSources.open(manager, { ...row, composition, tracks: [...tracks] });
    return { ...source, trackIDs: [] };
  }

  private insert(row: Broadcast): Promise<BroadcastSource> {
    return insertWithinQuota(this.quotas, this.dataSource.manager, row, async manager => {
      const source = await this.requireSource(manager, row);
      row.tracks = source.kinds;
      await manager.insert(Broadcast, row).catch(explain);
      return source;
    });
  }
}

function continuation(
  { createdAt, renditions }: Broadcast,
  formerUrl: string | undefined,
  now: number,
): ContinuedBroadcast {
  const ageSeconds = (now - createdAt.getTime()) / 1000;
  return { ageSeconds, renditions: renditions.length, ...(formerUrl !== undefined && { formerUrl }) };
}

export function makeBroadcast(
  owner: Owner,
  source: SourceChoice & Pick<Broadcast, 'composition' | 'dvrSeconds' | 'latency' | 'slateImageUrl'>,
  now: Date,
): Broadcast {
  return Object.assign(new Broadcast(), makeMediaRow(newID('bcast'), owner, now), {
    ...source,
    slateProblem: null,
    composed: null,
    sourceTracks: [],
    tracks: [],
    state: 'starting' as const,
    renditions: [],
    reason: null,
  });
}

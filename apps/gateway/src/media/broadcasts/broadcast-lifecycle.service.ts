import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { BroadcastFact, EndReason, Fact } from '@rtms/contracts';
import { DataSource, In, type EntityManager, type FindOptionsWhere } from 'typeorm';
import {
  interruptBroadcast,
  resumeBroadcast,
  stopBroadcast,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import { lockLive, lockRow, updateAll, updateRow } from '../resources/locked-rows.js';
import { live } from '../../platform/rows/live-states.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { decideBroadcastFact, endedBroadcast } from './decide-broadcast-fact.js';
import { isCurrent } from '../resources/placement.js';

/** Changes the states of broadcasts. Callers send the returned commands after the commit. */
@Injectable()
export class BroadcastLifecycleService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async applyFact(fact: Fact<BroadcastFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    await this.dataSource.transaction(async manager => {
      const row = await lockRow(manager, Broadcast, fact.resourceID);
      if (!row || !isCurrent(row, fact)) return;
      const change = decideBroadcastFact(row, fact.body, timing);
      const { sequence: factSequence } = fact;
      await updateRow(manager, Broadcast, row, { ...(change !== 'ignored' && change.set), factSequence });
    });
  }

  async endAll(
    manager: EntityManager,
    where: FindOptionsWhere<Broadcast>,
    reason: EndReason,
    state: 'ended' | 'failed' = 'ended',
  ): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Broadcast, where);
    await updateAll(manager, Broadcast, rows, endedBroadcast(state, reason, new Date(this.clock.now())));
    return rows.flatMap(stopBroadcast);
  }

  /** Interrupts broadcasts whose sources are lost. Published segments stay, and none follow until a source is back. */
  async interruptAll(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sourceSessionIDs.length === 0) return [];
    const lost = { sourceSessionID: In(sourceSessionIDs), state: In(['starting', 'active']) };
    const rows = await lockLive(manager, Broadcast, lost);
    await updateAll(manager, Broadcast, rows, { state: 'interrupted' });
    return rows.flatMap(interruptBroadcast);
  }

  /** Interrupts a broadcast whose member no longer sends video. */
  async interruptMember(manager: EntityManager, id: string): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Broadcast, { id });
    await updateAll(manager, Broadcast, rows, { state: 'interrupted', sourceTracks: [] });
    return rows.flatMap(interruptBroadcast);
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
}

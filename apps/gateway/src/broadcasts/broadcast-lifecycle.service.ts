import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { BroadcastFact, EndReason, Fact } from '@rtms/contracts';
import { DataSource, In, LessThanOrEqual, type EntityManager, type FindOptionsWhere } from 'typeorm';
import {
  interruptBroadcast,
  resumeBroadcast,
  stopBroadcast,
  type WorkerCommand,
} from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { applyFact } from '../media/apply-fact.js';
import { endLapsed, type FindWaiting } from '../media/lapsed-rows.js';
import { live } from '../media/live-states.js';
import { lockLive, updateAll } from '../media/locked-rows.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { Broadcast } from './broadcast.entity.js';
import { decideBroadcastFact, endedBroadcast } from './decide-broadcast-fact.js';

/** How broadcasts change, whoever asks for it. Commands are to be sent once the transaction is committed. */
@Injectable()
export class BroadcastLifecycle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommands,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async applyFact(fact: Fact<BroadcastFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    await this.dataSource.transaction(manager =>
      applyFact(manager, Broadcast, fact, (row, body) => decideBroadcastFact(row, body, timing)),
    );
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

  /** The sources are lost: what was published stays, nothing is added until they are back. */
  async interruptAll(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sourceSessionIDs.length === 0) return [];
    const lost = { sourceSessionID: In(sourceSessionIDs), state: In(['starting', 'active']) };
    const rows = await lockLive(manager, Broadcast, lost);
    await updateAll(manager, Broadcast, rows, { state: 'interrupted' });
    return rows.flatMap(interruptBroadcast);
  }

  /** The member that one is made of sends no picture any more. */
  async interruptMember(manager: EntityManager, id: string): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Broadcast, { id });
    await updateAll(manager, Broadcast, rows, { state: 'interrupted', sourceTracks: [] });
    return rows.flatMap(interruptBroadcast);
  }

  /** The sources are back, each on its SFU. A broadcast is active again when its transcoder says so. */
  async resumeAll(manager: EntityManager, sfuNodes: ReadonlyMap<string, string>): Promise<WorkerCommand[]> {
    if (sfuNodes.size === 0) return [];
    const rows = await manager.findBy(Broadcast, { sourceSessionID: In([...sfuNodes.keys()]), state: 'interrupted' });
    return rows.flatMap(row => {
      const sfuNodeID = sfuNodes.get(row.sourceSessionID ?? '');
      return row.nodeEpoch === null || sfuNodeID === undefined ? [] : resumeBroadcast(row, { sfuNodeID });
    });
  }

  /** No transcoder takes it now: until `graceUntil` one may yet. */
  async postpone(manager: EntityManager, id: string, graceUntil: Date): Promise<void> {
    await manager.update(Broadcast, { id, ...live }, { state: 'interrupted', nodeEpoch: null, graceUntil });
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Broadcast, { sourceSessionID, ...live });
  }

  /** Gives up what no transcoder took over in time. */
  async sweepGrace(now: Date, findWaiting: FindWaiting): Promise<void> {
    const lapsed = { state: 'interrupted' as const, graceUntil: LessThanOrEqual(now) };
    await endLapsed(this.dataSource.manager, Broadcast, lapsed, {
      findWaiting,
      end: async where => {
        const end = (manager: EntityManager): Promise<WorkerCommand[]> =>
          this.endAll(manager, where, 'node_lost', 'failed');
        await this.commands.tell(await this.dataSource.transaction(end));
      },
    });
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { ExternalSessionFact, Fact } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { Batches } from '../background/batches.js';
import { RepairRequests } from '../background/repair-requests.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../database/plain-rows.js';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { whereLive } from '../media/live-states.js';
import type { AppliedFact } from '../media/apply-fact.js';
import { lockRows } from '../media/locked-rows.js';
import { isCurrent } from '../media/placement.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingLifecycle } from '../recordings/recording-lifecycle.service.js';
import { SessionNews } from '../room-life/session-news.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { decideSessionFact, type SessionEffect } from './decide-session-fact.js';
import { ExternalSession } from './external-session.entity.js';
import { SessionLifecycle } from './session-lifecycle.service.js';

/** The columns that `decideSessionFact` sets, and the number of the fact. */
const changedByFacts = [
  'state',
  'tracks',
  'activatedAt',
  'graceUntil',
  'health',
  'keyframeIntervalSeconds',
  'endedAt',
  'endReason',
  'factSequence',
] as const satisfies (keyof ExternalSession)[];

/** A fact that counted, with the time at which its node saw it. */
interface SessionStep extends AppliedFact<ExternalSession, SessionEffect> {
  at: Date;
}

/** Of a batch: commands for nodes, and whether the reconciler must look. */
interface Consequences {
  commands: WorkerCommand[];
  isAwaited: boolean;
}

/**
 * Applies the facts about external sessions, and with them what depends on the sessions. Facts that come at the same time
 * share a transaction of some ten statements. The bus hands out the facts of one session one after the other, so that a batch
 * has no two of one session.
 */
@Injectable()
export class SessionFacts {
  private readonly facts = new Batches<Fact<ExternalSessionFact>>({
    size: 100,
    atOnce: 2,
    handle: facts => this.applyAll(facts),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly lifecycle: SessionLifecycle,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly recordings: RecordingLifecycle,
    private readonly commands: WorkerCommands,
    private readonly repairs: RepairRequests,
    private readonly usage: UsageLedger,
    private readonly nodes: NodeRegistry,
    private readonly news: SessionNews,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Resolves once the fact is committed. */
  apply(fact: Fact<ExternalSessionFact>): Promise<void> {
    return this.facts.add(fact);
  }

  private async applyAll(facts: readonly Fact<ExternalSessionFact>[]): Promise<void> {
    const { commands, isAwaited } = await this.dataSource.transaction(async manager => {
      const steps = await this.store(manager, facts);
      await this.keepUsage(manager, steps);
      return this.followUp(manager, steps);
    });
    const requestIDs = new Map(facts.map(({ resourceID, requestID }) => [resourceID, requestID]));
    // Not waited for: a node that does not answer must not hold up the facts behind these.
    void this.commands.tellEach(commands, ({ sourceSessionID = '' }) => requestIDs.get(sourceSessionID));
    for (const { resourceID } of facts) this.news.tell(resourceID);
    const isDrained = facts.some(({ nodeID }) => this.nodes.find('sfu', nodeID)?.draining);
    // Without its publisher a session can leave a node that is drained at once. The reconciler opens what no node holds since the source
    // was lost. It looks only now: it must find the rows committed, and the commands above on their way.
    if (isAwaited || isDrained) this.repairs.request();
  }

  private async store(manager: EntityManager, facts: readonly Fact<ExternalSessionFact>[]): Promise<SessionStep[]> {
    const ids = facts.map(({ resourceID }) => resourceID);
    const rows = await lockRows(manager, ExternalSession, ids);
    const byID = new Map(rows.map(row => [row.id, row]));
    const steps: SessionStep[] = [];
    for (const fact of facts) {
      const row = byID.get(fact.resourceID);
      if (!row || !isCurrent(row, fact)) continue;
      const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
      const change = decideSessionFact(row, fact.body, timing);
      Object.assign(row, change !== 'ignored' && change.set, { factSequence: fact.sequence });
      steps.push({ row, effect: change === 'ignored' ? 'ignored' : change.effect, at: timing.at });
    }
    const changed = steps.map(({ row }) => row);
    await updateRows(manager.getRepository(ExternalSession), changed, changedByFacts);
    return steps;
  }

  /** A session uses up minutes while it is active, by the clock of the node that saw it begin and end. */
  private async keepUsage(manager: EntityManager, steps: readonly SessionStep[]): Promise<void> {
    const begun = steps.filter(({ effect }) => effect === 'activated');
    const over = steps.filter(({ effect }) => effect === 'interrupted' || effect === 'ended');
    await this.usage.finishAll(
      manager,
      over.map(({ row, at }) => ({ resourceID: row.id, at })),
    );
    await this.usage.beginAll(
      manager,
      begun.map(({ row: { id: resourceID, meetingID }, at }) => ({
        kind: 'external_session',
        resourceID,
        meetingID,
        at,
      })),
    );
  }

  private async followUp(manager: EntityManager, steps: readonly SessionStep[]): Promise<Consequences> {
    const rowsWith = (wanted: SessionEffect) => steps.flatMap(({ row, effect }) => (effect === wanted ? row : []));
    const idsWith = (wanted: SessionEffect) => rowsWith(wanted).map(({ id }) => id);
    const activated = rowsWith('activated');
    return {
      commands: [
        ...(await this.resumeDependents(manager, activated)),
        ...(await this.interruptDependents(manager, idsWith('interrupted'))),
        ...(await this.lifecycle.endDependents(manager, idsWith('ended'))),
        ...(await this.lifecycle.endWithoutVideo(manager, rowsWith('none'))),
      ],
      isAwaited: await this.haveHomeless(manager, activated),
    };
  }

  private async interruptDependents(manager: EntityManager, sessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    const broadcasts = await this.broadcasts.interruptAll(manager, sessionIDs);
    return [...broadcasts, ...(await this.recordings.interruptAll(manager, sessionIDs))];
  }

  private async resumeDependents(manager: EntityManager, rows: readonly ExternalSession[]): Promise<WorkerCommand[]> {
    const sfuNodes = new Map(rows.flatMap(({ id, nodeID }) => (nodeID === null ? [] : [[id, nodeID] as const])));
    const broadcasts = await this.broadcasts.resumeAll(manager, sfuNodes);
    return [...broadcasts, ...(await this.recordings.resumeAll(manager, sfuNodes))];
  }

  /** Whether something is made of one of the sessions that no node holds, or not where the session is. */
  private async haveHomeless(manager: EntityManager, rows: readonly ExternalSession[]): Promise<boolean> {
    if (rows.length === 0) return false;
    const statement = `WITH source AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given(id, node_id, node_epoch))
      SELECT 1 FROM source JOIN playbacks ON source_session_id = source.id AND ${whereLive()}
        AND (playbacks.node_epoch IS NULL
          OR (playbacks.node_id, playbacks.node_epoch) IS DISTINCT FROM (source.node_id, source.node_epoch))
      UNION ALL SELECT 1 FROM source JOIN broadcasts ON source_session_id = source.id AND ${whereLive()}
        AND broadcasts.node_epoch IS NULL LIMIT 1`;
    const columns = (['id', 'nodeID', 'nodeEpoch'] as const).map(name => rows.map(row => row[name]));
    return (await manager.query<unknown[]>(statement, columns)).length > 0;
  }
}

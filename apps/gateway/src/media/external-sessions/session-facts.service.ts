import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { ExternalSessionFact, Fact } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { Batches } from '../../platform/jobs/batches.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { lockRows } from '../resources/locked-rows.js';
import { isCurrent } from '../resources/placement.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { decideSessionFact, type SessionEffect } from './decide-session-fact.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { ExternalSessionsRepository } from './external-sessions.repository.js';
import { SessionLifecycleService } from './session-lifecycle.service.js';

/** The platform closes the feed of a source that sends media. */
const platformReasons = new Set<string>(['worker_lost', 'node_draining']);

/** The columns that `decideSessionFact` sets, and the sequence number of the fact. */
const changedByFacts = [
  'state',
  'tracks',
  'activatedAt',
  'graceUntil',
  'health',
  'keyframeIntervalSeconds',
  'endedAt',
  'endReason',
  'events',
  'factSequence',
] as const satisfies (keyof ExternalSession)[];

/** A fact that counted. `at`: the time at which its node observed it. */
interface SessionStep {
  row: ExternalSession;
  effect: SessionEffect | 'ignored';
  at: Date;
}

/** The consequences of a batch: commands for nodes, and whether the reconciler must run. */
interface Consequences {
  commands: WorkerCommand[];
  isAwaited: boolean;
}

declare module '../../platform/runtime/domain-events.js' {
  interface DomainEventMap {
    /** The reconciler runs now, not at its next interval. */
    'repair.wanted': [];
  }
}

/**
 * Applies facts about external sessions to the sessions and their dependents. Facts that arrive together share a
 * transaction of some ten statements. The bus delivers the facts of one session one after the other, so a batch never has
 * two facts of one session.
 */
@Injectable()
export class SessionFactsService {
  private readonly facts = new Batches<Fact<ExternalSessionFact>>({
    size: 100,
    atOnce: 2,
    handle: facts => this.applyAll(facts),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: ExternalSessionsRepository,
    private readonly lifecycle: SessionLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly recordings: RecordingLifecycleService,
    private readonly restreams: RestreamLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly domainEvents: DomainEvents,
    private readonly usage: UsageLedgerRepository,
    private readonly nodes: NodeRegistry,
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
    // Not awaited: a node that does not answer must not delay the next facts.
    void this.commands.tellEach(commands, ({ sourceSessionID = '' }) => requestIDs.get(sourceSessionID));
    const isDrained = facts.some(({ nodeID }) => this.nodes.find('sfu', nodeID)?.draining);
    // A session without its publisher can leave a draining node at once. The reconciler also opens dependents that no node
    // holds since the source was lost. It runs only now, when the rows are committed and the commands above are on their way.
    if (isAwaited || isDrained) this.domainEvents.emit('repair.wanted');
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
      const isLastNode = this.nodes.isLast('sfu', fact.nodeID);
      const change = decideSessionFact(row, fact.body, { ...timing, isLastNode });
      Object.assign(row, change !== 'ignored' && change.set, { factSequence: fact.sequence });
      steps.push({ row, effect: change === 'ignored' ? 'ignored' : change.effect, at: timing.at });
    }
    const changed = steps.map(({ row }) => row);
    await updateRows(manager.getRepository(ExternalSession), changed, changedByFacts);
    return steps;
  }

  /** Minutes count while a session is active, by the clock of its node. */
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
        ...(await this.interruptDependents(manager, rowsWith('interrupted'))),
        ...(await this.lifecycle.endDependents(manager, idsWith('ended'))),
        ...(await this.lifecycle.endWithoutVideo(manager, rowsWith('none'))),
      ],
      isAwaited: await this.sessions.haveHomelessDependents(manager, activated),
    };
  }

  private async interruptDependents(
    manager: EntityManager,
    rows: readonly ExternalSession[],
  ): Promise<WorkerCommand[]> {
    const sessionIDs = rows.map(({ id }) => id);
    const moved = rows.filter(({ events }) => platformReasons.has(events.at(-1)?.reason ?? '')).map(({ id }) => id);
    const broadcasts = await this.broadcasts.interruptAll(manager, sessionIDs, new Set(moved));
    const restreams = await this.restreams.interruptAll(manager, sessionIDs);
    return [...broadcasts, ...restreams, ...(await this.recordings.interruptAll(manager, sessionIDs))];
  }

  private async resumeDependents(manager: EntityManager, rows: readonly ExternalSession[]): Promise<WorkerCommand[]> {
    const sfuNodes = new Map(rows.flatMap(({ id, nodeID }) => (nodeID === null ? [] : [[id, nodeID] as const])));
    const broadcasts = await this.broadcasts.resumeAll(manager, sfuNodes);
    const restreams = await this.restreams.resumeAll(manager, sfuNodes);
    return [...broadcasts, ...restreams, ...(await this.recordings.resumeAll(manager, sfuNodes))];
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type EndReason,
  type Fact,
  type NodeLease,
  type RestreamFact,
  type RestreamProblem,
  type RestreamTarget,
} from '@rtms/contracts';
import { DataSource, In, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { AccountQuotasService, type QuotaUse } from '../../accounts/limits/account-quotas.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { newID } from '../../platform/database/new-id.js';
import { live } from '../../platform/rows/live-states.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import {
  interruptRestream,
  resumeRestream,
  stopRestream,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { noController } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { tryTranscoders } from '../nodes/try-nodes.js';
import { lockLive, lockRow, lockUnchanged, updateAll, updateRow } from '../resources/locked-rows.js';
import type { Owner } from '../resources/owned-rows.js';
import { isCurrent, makeMediaRow, placedOn } from '../resources/placement.js';
import { Restream } from '../resources/restream.entity.js';
import { decideRestreamFact, endedRestream, waitingRestream } from './decide-restream-fact.js';
import { RestreamSourcesService, type RestreamSource } from './restream-sources.service.js';

type Secrets = Pick<RestreamTarget, 'streamKey' | 'passphrase'>;

/** The columns that show whether a restream changed since it was read. */
export type SeenRestream = Pick<
  Restream,
  'id' | 'nodeID' | 'nodeEpoch' | 'placedAt' | 'state' | 'sourceSessionID' | 'sourceBroadcastID' | 'meetingID'
>;

/** One of the two is null. */
export type RestreamSourceChoice = Pick<Restream, 'sourceSessionID' | 'sourceBroadcastID'>;

/**
 * Starts restreams of external sessions on the least loaded transcoder that accepts them, and those of a broadcast on its transcoder. Changes their states and ends them. Callers send the
 * returned commands after the commit.
 */
@Injectable()
export class RestreamLifecycleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: RestreamSourcesService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly quotas: AccountQuotasService,
    private readonly vault: SecretVault,
    private readonly domainEvents: DomainEvents,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(owner: Owner, choice: RestreamSourceChoice, target: RestreamTarget, requestID: string): Promise<Restream> {
    const row = this.makeRow(owner, choice, target);
    const source = await this.quotas.add(row.accountID, usesOf(row), async manager => {
      const found = await this.sources.require(manager, row);
      row.tracks = found.kinds;
      await manager.insert(Restream, row);
      return found;
    });
    try {
      await this.startSomewhere(row, source, requestID);
    } catch (error) {
      await this.dataSource.manager.delete(Restream, row.id);
      void this.commands.tell(stopRestream(row), requestID);
      throw error;
    }
    return row;
  }

  /** Stores each transcoder in the row before the command. */
  async startSomewhere(row: Restream, source: RestreamSource, requestID?: string): Promise<void> {
    if (source.from === 'broadcast') {
      const node = this.nodes.find('transcoder', source.nodeID);
      if (!node) throw noController();
      return this.startOn(node, row, source, requestID);
    }
    await tryTranscoders(this.nodes, node => this.startOn(node, row, source, requestID));
  }

  async applyFact(fact: Fact<RestreamFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    const effect = await this.dataSource.transaction(async manager => {
      const row = await lockRow(manager, Restream, fact.resourceID);
      if (!row || !isCurrent(row, fact)) return;
      const change = decideRestreamFact(row, fact.body, timing);
      const { sequence: factSequence } = fact;
      await updateRow(manager, Restream, row, { ...(change !== 'ignored' && change.set), factSequence });
      return change === 'ignored' ? undefined : change.effect;
    });
    if (effect === 'left') this.domainEvents.emit('repair.wanted');
  }

  async endAll(
    manager: EntityManager,
    where: FindOptionsWhere<Restream>,
    reason: EndReason,
    state: 'ended' | 'failed' = 'ended',
  ): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Restream, where);
    await updateAll(manager, Restream, rows, endedRestream(state, reason, new Date(this.clock.now())));
    return rows.flatMap(stopRestream);
  }

  /** Interrupts restreams whose sources are lost. */
  async interruptAll(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sourceSessionIDs.length === 0) return [];
    const rows = await lockLive(manager, Restream, { sourceSessionID: In(sourceSessionIDs) });
    // A row that waits already keeps its problem, for example that of its target.
    const running = rows.filter(({ state }) => state !== 'retrying');
    await updateAll(manager, Restream, running, waitingRestream('source_lost', new Date(this.clock.now())));
    return rows.flatMap(interruptRestream);
  }

  /**
   * Resumes restreams whose sources are back, each on its SFU node. The transcoder then reports them active. It knows which ones
   * are interrupted: a row may be active again by a fact from before the interruption. It may also have missed the interruption, and still
   * read from a former SFU node.
   */
  async resumeAll(manager: EntityManager, sfuNodes: ReadonlyMap<string, string>): Promise<WorkerCommand[]> {
    if (sfuNodes.size === 0) return [];
    const rows = await manager.findBy(Restream, { sourceSessionID: In([...sfuNodes.keys()]), ...live });
    return rows.flatMap(row => {
      const sfuNodeID = sfuNodes.get(row.sourceSessionID ?? '');
      return row.nodeEpoch === null || sfuNodeID === undefined
        ? []
        : resumeRestream(row, { sfuNodeID, onlyIf: 'interrupted', orElsewhere: true });
    });
  }

  /** Clears the epoch, so that no late fact of the former transcoder counts. undefined: the row changed meanwhile. */
  takeAway(seen: SeenRestream, problem: RestreamProblem): Promise<Restream | undefined> {
    return this.dataSource.transaction(async manager => {
      const row = await lockUnchanged(manager, Restream, seen);
      const lost = { ...waitingRestream(problem, new Date(this.clock.now())), nodeEpoch: null };
      // A row that waits for a node keeps the time of its problem.
      if (row && row.nodeEpoch !== null) await updateRow(manager, Restream, row, lost);
      return row;
    });
  }

  /** No transcoder has capacity now. The reconciler retries until `graceUntil`. */
  async postpone(manager: EntityManager, id: string, graceUntil: Date): Promise<void> {
    await manager.update(Restream, { id, ...live }, { state: 'retrying', nodeEpoch: null, graceUntil });
  }

  /** Ends the restreams of ended broadcasts. */
  async endOfBroadcasts(
    manager: EntityManager,
    broadcastIDs: readonly string[],
    reason: EndReason,
  ): Promise<WorkerCommand[]> {
    if (broadcastIDs.length === 0) return [];
    const why = reason === 'room_ended' ? reason : 'source_ended';
    return this.endAll(manager, { sourceBroadcastID: In(broadcastIDs) }, why);
  }

  /** Whether a restream of the broadcast is on another node than the broadcast, or on none. */
  async hasStraying(manager: EntityManager, broadcastID: string, nodeID: string | null): Promise<boolean> {
    const rows = await manager.findBy(Restream, { sourceBroadcastID: broadcastID, ...live });
    return rows.some(row => row.nodeEpoch === null || row.nodeID !== nodeID);
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Restream, { sourceSessionID, ...live });
  }

  private async startOn(node: NodeLease, row: Restream, source: RestreamSource, requestID?: string): Promise<void> {
    const placement = { ...placedOn(node, new Date(this.clock.now())), state: 'connecting' as const, graceUntil: null };
    const { affected } = await this.dataSource.manager.update(Restream, { id: row.id, ...live }, placement);
    if (affected !== 1) throw new ServiceError('source_not_active', 'The source has ended.');
    Object.assign(row, placement);
    const request = {
      ...{ restreamID: row.id, meetingID: row.meetingID, sourceID: source.sourceID, sfuNodeID: source.nodeID },
      ...(source.from && { from: source.from }),
      ...{ tracks: row.tracks, allowsPrivate: this.config.privateRestreamTargets === true },
      target: { protocol: row.targetProtocol, url: row.targetUrl, ...this.secretsOf(row) },
    };
    await this.commands.ask(transcoderCommands.startRestream.forNode(node.nodeID), request, requestID);
  }

  private makeRow(owner: Owner, choice: RestreamSourceChoice, { protocol, url, ...secrets }: RestreamTarget): Restream {
    const id = newID('rstr');
    const hasSecrets = Object.keys(secrets).length > 0;
    const sealed = hasSecrets ? this.vault.seal(sealedColumns.restreamSecrets, id, JSON.stringify(secrets)) : null;
    return Object.assign(new Restream(), makeMediaRow(id, owner, new Date(this.clock.now())), {
      ...{ ...choice, tracks: [], state: 'connecting' as const, targetProtocol: protocol, targetUrl: url },
      ...{ encryptedTargetSecrets: sealed, retryCount: 0, problem: null, problemAt: null, reason: null },
    });
  }

  private secretsOf({ id, encryptedTargetSecrets: sealed }: Restream): Secrets {
    return sealed === null ? {} : (JSON.parse(this.vault.open(sealedColumns.restreamSecrets, id, sealed)) as Secrets);
  }
}

function usesOf({ accountID, sourceSessionID, sourceBroadcastID }: Restream): QuotaUse[] {
  const ofSource = sourceSessionID === null ? { sourceBroadcastID: sourceBroadcastID ?? '' } : { sourceSessionID };
  const countLive = (where: FindOptionsWhere<Restream>) => (manager: EntityManager) =>
    manager.countBy(Restream, { ...where, ...live });
  return [
    { limit: 'restreamsPerSession', count: countLive(ofSource) },
    { limit: 'restreamsPerAccount', count: countLive({ accountID }) },
  ];
}

import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  sfuCommands,
  type EndReason,
  type Fact,
  type PlaybackFact,
  type PayloadProfile,
  type PlaybackAccount,
} from '@rtms/contracts';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { messageOf } from '@rtms/logging';
import { Batches } from '../../platform/jobs/batches.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { closePlayback, type WorkerCommand } from '../../platform/workers/worker-command.js';
import { lockLive, lockRows, updateAll, updateRow } from '../resources/locked-rows.js';
import { live } from '../../platform/rows/live-states.js';
import { isCurrent, makeMediaRow, placedOn } from '../resources/placement.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { decidePlaybackFact, endedPlayback } from './decide-playback-fact.js';
import { Playback } from '../resources/playback.entity.js';
import { atMost } from '../../platform/jobs/in-turns.js';
import { SourcesService, requireKinds } from '../sources/sources.service.js';
import { newID } from '../../platform/database/new-id.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import type { Owner } from '../resources/owned-rows.js';
import type { CreatePlaybackDto } from './playback.dto.js';
import type { AccountLimitValues } from '../../accounts/limits/account-limits.js';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';

/** The columns that `decidePlaybackFact` sets, and the sequence number of the fact. */
const changedByFacts = [
  'state',
  'viewerCount',
  'activatedAt',
  'graceUntil',
  'endedAt',
  'endReason',
  'factSequence',
] as const satisfies (keyof Playback)[];

/** Playbacks that one `reopenAll` opens in parallel. */
const commandsAtOnce = 20;

/** Opens playbacks on the media nodes of their sources, changes their states and ends them. */
@Injectable()
export class PlaybackLifecycleService {
  private readonly logger = new Logger(PlaybackLifecycleService.name);
  private readonly facts = new Batches<Fact<PlaybackFact>>({
    size: 250,
    atOnce: 2,
    handle: facts => this.applyFacts(facts),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SourcesService,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    private readonly nodes: NodeRegistry,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: Playback, requestID: string): Promise<void> {
    const nodeID = await this.insert(row);
    try {
      const account = toPlaybackAccount(row.accountID, await this.limits.read(row.accountID));
      const payloadProfile = await this.askToOpen(nodeID, row, account, requestID);
      await updateRow(this.dataSource.manager, Playback, row, { payloadProfile });
    } catch (error) {
      await this.dataSource.manager.delete(Playback, row.id);
      void this.commands.tell(closePlayback(row), requestID);
      throw error;
    }
  }

  /** Opens playbacks again on the nodes in their rows. Returns the opened rows with their payload profiles. */
  async reopenAll(rows: readonly Playback[]): Promise<Playback[]> {
    const limits = await this.limits.readAll([...new Set(rows.map(({ accountID }) => accountID))]);
    const opened: Playback[] = [];
    await atMost(commandsAtOnce, rows, async row => {
      const { nodeID, accountID } = row;
      const ofAccount = limits.get(accountID);
      if (nodeID === null || !ofAccount) return;
      try {
        row.payloadProfile = await this.askToOpen(nodeID, row, toPlaybackAccount(accountID, ofAccount));
        opened.push(row);
      } catch (error) {
        const message = messageOf(error);
        this.logger.warn({ playbackID: row.id, message }, 'a playback could not be opened again yet');
      }
    });
    return opened;
  }

  /** Facts that arrive together share a transaction, because viewers cause many facts. */
  applyFact(fact: Fact<PlaybackFact>): Promise<void> {
    return this.facts.add(fact);
  }

  /** Ends all matching live playbacks. The caller sends the returned commands after the commit. */
  async endAll(manager: EntityManager, where: FindOptionsWhere<Playback>, reason: EndReason): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Playback, where);
    await updateAll(manager, Playback, rows, endedPlayback(reason, new Date(this.clock.now())));
    return rows.flatMap(closePlayback);
  }

  /** The live playbacks of the room, newest first. */
  listLive(meetingID: string): Promise<Playback[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return this.dataSource.manager.find(Playback, { where: { meetingID, ...live }, order });
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Playback, { sourceSessionID, ...live });
  }

  /** Sends changed limits to all SFU nodes. A node that misses the command gets them with the account's next playback. */
  async announceLimits(accountID: string): Promise<void> {
    const request = toPlaybackAccount(accountID, await this.limits.read(accountID));
    const commands = this.nodes.list('sfu').map(({ nodeID }) => {
      const { subject } = sfuCommands.setViewerLimits.forNode(nodeID);
      return { address: { subject }, request };
    });
    await this.commands.tell(commands);
  }

  private async applyFacts(facts: readonly Fact<PlaybackFact>[]): Promise<void> {
    await this.dataSource.transaction(async manager => {
      const rows = await lockRows(
        manager,
        Playback,
        facts.map(({ resourceID }) => resourceID),
      );
      const byID = new Map(rows.map(row => [row.id, row]));
      const changed = new Set<Playback>();
      for (const fact of facts) {
        const row = byID.get(fact.resourceID);
        if (!row || !isCurrent(row, fact)) continue;
        const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
        const change = decidePlaybackFact(row, fact.body, timing);
        Object.assign(row, change !== 'ignored' && change.set, { factSequence: fact.sequence });
        changed.add(row);
      }
      await updateRows(manager.getRepository(Playback), [...changed], changedByFacts);
    });
  }

  /** Asks the node to open the playback. Returns the payload profile. */
  private async askToOpen(
    nodeID: string,
    row: Playback,
    account: PlaybackAccount,
    requestID?: string,
  ): Promise<PayloadProfile> {
    const request = {
      meetingID: row.meetingID,
      sessionID: row.sourceSessionID,
      playbackID: row.id,
      tracks: row.tracks,
      payloadMatching: row.payloadMatching,
      account,
    };
    return (await this.commands.ask(sfuCommands.openPlayback.forNode(nodeID), request, requestID)).payloadProfile;
  }

  private insert(row: Playback): Promise<string> {
    return this.dataSource.transaction(async manager => {
      const source = await this.sources.requireSession(manager, row, row.sourceSessionID);
      requireKinds(row.tracks, source.kinds);
      Object.assign(row, placedOn({ nodeID: source.nodeID, epoch: source.nodeEpoch }, new Date(this.clock.now())));
      await manager.insert(Playback, row);
      return source.nodeID;
    });
  }
}

function toPlaybackAccount(
  accountID: string,
  { viewersPerPlayback, viewersPerAccount }: AccountLimitValues,
): PlaybackAccount {
  return { accountID, limits: { viewersPerPlayback, viewersPerAccount } };
}

export function makePlayback(owner: Owner, dto: CreatePlaybackDto, now: Date): Playback {
  return Object.assign(new Playback(), makeMediaRow(newID('play'), owner, now), {
    sourceSessionID: dto.sourceSessionID,
    tracks: dto.tracks,
    state: 'ready' as const,
    payloadMatching: dto.payloadMatching ?? 'fixed',
    payloadProfile: null,
    viewerCount: 0,
    reason: null,
  });
}

import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason, Fact, PlaybackFact } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Batches } from '../background/batches.js';
import { updateRows } from '../database/plain-rows.js';
import { closePlayback, type WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { endLapsed, type FindWaiting } from '../media/lapsed-rows.js';
import { live } from '../media/live-states.js';
import { lockLive, lockRows, updateAll } from '../media/locked-rows.js';
import { isCurrent } from '../media/placement.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { decidePlaybackFact, endedPlayback } from './decide-playback-fact.js';
import { Playback } from './playback.entity.js';

/** The columns that `decidePlaybackFact` sets, and the number of the fact. */
const changedByFacts = [
  'state',
  'viewerCount',
  'activatedAt',
  'graceUntil',
  'endedAt',
  'endReason',
  'factSequence',
] as const satisfies (keyof Playback)[];

/** How playbacks change, whoever asks for it. */
@Injectable()
export class PlaybackLifecycle {
  private readonly facts = new Batches<Fact<PlaybackFact>>({
    size: 250,
    atOnce: 2,
    handle: facts => this.applyFacts(facts),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommands,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Facts that come at the same time are stored together: there are as many as viewers come and go. */
  applyFact(fact: Fact<PlaybackFact>): Promise<void> {
    return this.facts.add(fact);
  }

  /** Ends all live playbacks that match. The commands are to be sent once the transaction is committed. */
  async endAll(manager: EntityManager, where: FindOptionsWhere<Playback>, reason: EndReason): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Playback, where);
    await updateAll(manager, Playback, rows, endedPlayback(reason, new Date(this.clock.now())));
    return rows.flatMap(closePlayback);
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Playback, { sourceSessionID, ...live });
  }

  /** Ends what was lost and did not come back in time. */
  async sweepGrace(now: Date, findWaiting: FindWaiting): Promise<void> {
    const lapsed = { state: 'ready' as const, graceUntil: LessThanOrEqual(now) };
    await endLapsed(this.dataSource.manager, Playback, lapsed, {
      findWaiting,
      end: async where => {
        const commands = await this.dataSource.transaction(manager => this.endAll(manager, where, 'viewer_lost'));
        await this.commands.tell(commands);
      },
    });
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
}

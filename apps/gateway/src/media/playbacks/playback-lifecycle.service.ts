import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason, Fact, PlaybackFact } from '@rtms/contracts';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Batches } from '../../platform/jobs/batches.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { closePlayback, type WorkerCommand } from '../../platform/workers/worker-command.js';
import { lockLive, lockRows, updateAll } from '../resources/locked-rows.js';
import { live } from '../../platform/rows/live-states.js';
import { isCurrent } from '../resources/placement.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { decidePlaybackFact, endedPlayback } from './decide-playback-fact.js';
import { Playback } from '../resources/playback.entity.js';

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

/** Changes the states of playbacks. */
@Injectable()
export class PlaybackLifecycleService {
  private readonly facts = new Batches<Fact<PlaybackFact>>({
    size: 250,
    atOnce: 2,
    handle: facts => this.applyFacts(facts),
  });

  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

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

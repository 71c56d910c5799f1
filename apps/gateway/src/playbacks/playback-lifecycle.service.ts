import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason, Fact, PlaybackFact } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { closePlayback, type WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { applyFact } from '../media/apply-fact.js';
import { live, lockLive, updateRow } from '../media/locked-rows.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { decidePlaybackFact, endedPlayback } from './decide-playback-fact.js';
import { Playback } from './playback.entity.js';

/** How playbacks change, whoever asks for it. */
@Injectable()
export class PlaybackLifecycle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommands,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async applyFact(fact: Fact<PlaybackFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    await this.dataSource.transaction(manager =>
      applyFact(manager, Playback, fact, (row, body) => decidePlaybackFact(row, body, timing)),
    );
  }

  /** Ends all live playbacks that match. The commands are to be sent once the transaction is committed. */
  async endAll(manager: EntityManager, where: FindOptionsWhere<Playback>, reason: EndReason): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, Playback, where);
    for (const row of rows) await updateRow(manager, Playback, row, endedPlayback(reason, new Date(this.clock.now())));
    return rows.flatMap(closePlayback);
  }

  countLive(manager: EntityManager, sourceSessionID: string): Promise<number> {
    return manager.countBy(Playback, { sourceSessionID, ...live });
  }

  /** Ends what was lost and did not come back in time. */
  async sweepGrace(now: Date): Promise<void> {
    const lapsed = { state: 'ready' as const, graceUntil: LessThanOrEqual(now) };
    if (!(await this.dataSource.manager.existsBy(Playback, lapsed))) return;
    const commands = await this.dataSource.transaction(manager => this.endAll(manager, lapsed, 'viewer_lost'));
    await this.commands.tell(commands);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, In } from 'typeorm';
import { portionsOf } from '../background/in-turns.js';
import { Pace } from '../background/pace.js';
import { updateRows } from '../database/plain-rows.js';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import { placedOn } from '../media/make-media-row.js';
import { unwatched } from '../playbacks/decide-playback-fact.js';
import { PlaybackOpening } from '../playbacks/playback-opening.service.js';
import { Playback } from '../playbacks/playback.entity.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { lockAllUnchanged } from './lock-unchanged.js';
import type { SeenPlayback } from './snapshot.js';

/** So many are moved in one transaction: requests wait for no more than these. */
const playbacksAtOnce = 50;

const changedColumns = [
  'state',
  'viewerCount',
  'graceUntil',
  'nodeID',
  'nodeEpoch',
  'placedAt',
  'factSequence',
] as const satisfies (keyof Playback)[];

/** Opens playbacks that no worker has where their sources are now. */
@Injectable()
export class PlaybackRepair {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSources,
    private readonly opening: PlaybackOpening,
    private readonly pace: Pace,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async reopen(playbacks: readonly SeenPlayback[]): Promise<void> {
    await this.pace.through(portionsOf(playbacks, playbacksAtOnce), rows => this.reopenAll(rows));
  }

  private async reopenAll(seen: readonly SeenPlayback[]): Promise<void> {
    const moved = await this.move(seen);
    const opened = await this.opening.reopenAll(moved);
    const { manager } = this.dataSource;
    await updateRows(manager.getRepository(Playback), opened, ['payloadProfile']);
    const isOpen = new Set(opened);
    const failed = moved.filter(row => !isOpen.has(row)).map(({ id }) => id);
    if (failed.length > 0) await manager.update(Playback, { id: In(failed) }, { nodeEpoch: null });
  }

  /** Answers those whose sources have a node, and to which nothing else has happened since they were read. */
  private move(seen: readonly SeenPlayback[]): Promise<Playback[]> {
    return this.dataSource.transaction(async manager => {
      const rows = await lockAllUnchanged(manager, Playback, seen);
      const sources = await this.sources.findAll(manager, [...new Set(rows.map(row => row.sourceSessionID))]);
      const now = new Date(this.clock.now());
      const moved: Playback[] = [];
      for (const row of rows) {
        const source = sources.get(row.sourceSessionID);
        if (row.state === 'active') Object.assign(row, unwatched({ now, graceMs: this.settings.graceMs }));
        if (source) moved.push(row);
        Object.assign(
          row,
          source ? placedOn({ nodeID: source.nodeID, epoch: source.nodeEpoch }, now) : { nodeEpoch: null },
        );
      }
      await updateRows(manager.getRepository(Playback), rows, changedColumns);
      return moved;
    });
  }
}

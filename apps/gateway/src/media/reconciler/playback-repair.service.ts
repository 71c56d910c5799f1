import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, In } from 'typeorm';
import { portionsOf } from '../../platform/jobs/in-turns.js';
import { Pace } from '../../platform/jobs/pace.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { SessionSourcesService } from '../resources/session-sources.service.js';
import { placedOn } from '../resources/placement.js';
import { unwatched } from '../playbacks/decide-playback-fact.js';
import { PlaybackOpeningService } from '../playbacks/playback-opening.service.js';
import { Playback } from '../resources/playback.entity.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { lockAllUnchanged } from '../resources/locked-rows.js';
import type { SeenPlayback } from './snapshot.js';

/** Playbacks in one transaction, so that requests wait only briefly for its locks. */
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

/** Opens playbacks without a node on the nodes of their sources. */
@Injectable()
export class PlaybackRepairService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSourcesService,
    private readonly opening: PlaybackOpeningService,
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

  /** Returns the moved rows: unchanged since they were read, and with a node for their source. */
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

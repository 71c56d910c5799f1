import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { atMost, repairsAtOnce } from '../background/in-turns.js';
import { SessionSources, type PlacedSource } from '../external-sessions/session-sources.service.js';
import { updateRow } from '../media/locked-rows.js';
import { placedOn } from '../media/make-media-row.js';
import { unwatched } from '../playbacks/decide-playback-fact.js';
import { PlaybackOpening } from '../playbacks/playback-opening.service.js';
import { Playback } from '../playbacks/playback.entity.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { lockUnchanged } from './lock-unchanged.js';
import type { SeenPlayback } from './snapshot.js';

/** Opens playbacks that no worker has where their sources are now. */
@Injectable()
export class PlaybackRepair {
  private readonly logger = new Logger(PlaybackRepair.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSources,
    private readonly opening: PlaybackOpening,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async reopen(playbacks: readonly SeenPlayback[]): Promise<void> {
    await atMost(repairsAtOnce, playbacks, row => this.reopenOne(row));
  }

  private async reopenOne(seen: SeenPlayback): Promise<void> {
    const moved = await this.move(seen);
    if (!moved?.source) return;
    try {
      await this.opening.openOn(moved.source.nodeID, moved.row);
    } catch (error) {
      const message = messageOf(error);
      this.logger.warn({ playbackID: seen.id, message }, 'a playback could not be opened again yet');
      await this.dataSource.manager.update(Playback, seen.id, { nodeEpoch: null });
    }
  }

  private move(seen: SeenPlayback): Promise<{ row: Playback; source: PlacedSource | undefined } | undefined> {
    return this.dataSource.transaction(async manager => {
      const row = await lockUnchanged(manager, Playback, seen);
      if (!row) return undefined;
      const source = await this.sources.find(manager, row.sourceSessionID);
      const now = new Date(this.clock.now());
      await updateRow(manager, Playback, row, {
        ...(row.state === 'active' && unwatched({ now, graceMs: this.settings.graceMs })),
        ...(source ? placedOn({ nodeID: source.nodeID, epoch: source.nodeEpoch }, now) : { nodeEpoch: null }),
      });
      return { row, source };
    });
  }
}

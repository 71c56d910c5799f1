import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { atMost, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { live } from '../../platform/rows/live-states.js';
import { stopRestream } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { Restream } from '../resources/restream.entity.js';
import { RestreamLifecycleService, type SeenRestream } from '../restreams/restream-lifecycle.service.js';
import { FailedRestartsService } from './failed-restarts.service.js';
import type { Snapshot } from './snapshot.js';
import { RestreamSourcesService, type RestreamSource } from '../restreams/restream-sources.service.js';

/** `skipped`: the restream has ended, or has no source. `refused`: no transcoder takes it. */
type Move = 'moved' | 'skipped' | 'refused';

/** Moves restreams away from lost and draining transcoders. */
@Injectable()
export class RestreamRepairService {
  private readonly logger = new Logger(RestreamRepairService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: RestreamSourcesService,
    private readonly restreams: RestreamLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly failures: FailedRestartsService,
  ) {}

  /** Ends restreams whose source has ended without them: a gateway of an older version does not know them. */
  async endWithoutSource({ restreams, sessions, broadcasts }: Snapshot): Promise<void> {
    const suspects = [...restreams.values()].filter(({ sourceSessionID, sourceBroadcastID }) =>
      sourceBroadcastID === null ? !sessions.has(sourceSessionID ?? '') : !broadcasts.has(sourceBroadcastID),
    );
    await atMost(repairsAtOnce, suspects, async ({ id, sourceSessionID, sourceBroadcastID }) => {
      const commands = await this.dataSource.transaction(async manager => {
        // The source may be newer than the snapshot.
        const isLive =
          sourceBroadcastID === null
            ? manager.existsBy(ExternalSession, { id: sourceSessionID ?? '', ...live })
            : manager.existsBy(Broadcast, { id: sourceBroadcastID, ...live });
        if (await isLive) return [];
        return this.restreams.endAll(manager, { id }, 'source_ended');
      });
      await this.commands.tell(commands);
    });
  }

  /** Restarts restreams without a transcoder. Without its source a restream waits for the source's grace time. */
  async restart(restreams: readonly SeenRestream[]): Promise<void> {
    await atMost(repairsAtOnce, restreams, async seen => {
      const row = await this.restreams.takeAway(seen, 'node_lost');
      const source = row && (await this.sources.find(this.dataSource.manager, row));
      if (source) await this.goOn(row, source);
    });
  }

  /**
   * Moves one restream at a time until a transcoder takes one, which shows that there is room for the others. After a refusal the
   * restreams that have not begun to move stay where they are until the next run.
   */
  async handOver(restreams: readonly SeenRestream[]): Promise<void> {
    let result: Move = 'skipped';
    let tried = 0;
    for (const seen of restreams) {
      result = await this.move(seen);
      tried += 1;
      if (result !== 'skipped') break;
    }
    let hasRoom = result === 'moved';
    await atMost(repairsAtOnce, restreams.slice(tried), async seen => {
      if (hasRoom && (await this.move(seen)) === 'refused') hasRoom = false;
    });
  }

  /** The former transcoder closes its connection first, because a target takes one publisher at a time. */
  private async move(seen: SeenRestream): Promise<Move> {
    const source = await this.sources.find(this.dataSource.manager, seen);
    const row = source && (await this.restreams.takeAway(seen, 'node_draining'));
    if (!row) return 'skipped';
    await this.commands.tell(stopRestream(row));
    return (await this.goOn(row, source)) ? 'moved' : 'refused';
  }

  /** Returns whether a transcoder took the restream. */
  private async goOn(row: Restream, source: RestreamSource): Promise<boolean> {
    const { graceUntil } = row;
    try {
      await this.restreams.startSomewhere(row, source);
      this.logger.warn({ restreamID: row.id, to: row.nodeID }, 'a restream goes on at another transcoder');
      return true;
    } catch (error) {
      await this.failures.handle(this.restreams, row.id, graceUntil, error);
      return false;
    }
  }
}

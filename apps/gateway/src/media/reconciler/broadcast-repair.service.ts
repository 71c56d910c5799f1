import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { toServiceError } from '@rtms/http';
import { DataSource } from 'typeorm';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { atMost, portionsOf, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { BroadcastOpeningService } from '../broadcasts/broadcast-opening.service.js';
import { BroadcastSourcesService, type BroadcastSource } from '../broadcasts/broadcast-sources.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { SessionSourcesService } from '../resources/session-sources.service.js';
import { handOverBroadcast } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { graceEnd } from '../resources/placement.js';
import { updateRow, lockUnchanged } from '../resources/locked-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';

/** Sources whose broadcasts one transaction interrupts. */
const sourcesAtOnce = 100;

/** Restarts broadcasts without a transcoder or on a draining transcoder, or gives them up. */
@Injectable()
export class BroadcastRepairService {
  private readonly logger = new Logger(BroadcastRepairService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionSourcesService,
    private readonly sources: BroadcastSourcesService,
    private readonly opening: BroadcastOpeningService,
    private readonly lifecycle: BroadcastLifecycleService,
    private readonly rooms: RoomsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async restart(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, row => this.restartOne(row));
  }

  /** Moves broadcasts away from a draining transcoder, which serves its segments for a while longer. */
  async handOver(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, row => this.handOverOne(row));
  }

  /** Interrupts broadcasts that missed the loss of their sources. */
  async interrupt(sourceSessionIDs: readonly string[]): Promise<void> {
    await atMost(repairsAtOnce, portionsOf(sourceSessionIDs, sourcesAtOnce), async sessionIDs => {
      const commands = await this.dataSource.transaction(async manager => {
        const sources = await this.sessions.findAll(manager, sessionIDs);
        const lost = sessionIDs.filter(sessionID => sources.get(sessionID)?.isActive !== true);
        return this.lifecycle.interruptAll(manager, lost);
      });
      await this.commands.tell(commands);
    });
  }

  private async restartOne(seen: Broadcast): Promise<void> {
    const row = await this.takeAway(seen);
    const source = row && (await this.sources.find(this.dataSource.manager, row));
    // Without its source the broadcast waits for the source's grace time.
    if (source) await this.goOn(row, source);
  }

  /** Without the source no transcoder can continue, so the broadcast stays until the source is back. */
  private async handOverOne(seen: Broadcast): Promise<void> {
    const source = await this.sources.find(this.dataSource.manager, seen);
    if (!source) return;
    const former = this.nodes.find('transcoder', seen.nodeID ?? '');
    const row = await this.takeAway(seen);
    if (!row) return;
    await this.commands.tell(handOverBroadcast(row));
    await this.goOn(row, source, former?.internalUrl);
  }

  private async goOn(row: Broadcast, source: BroadcastSource, formerUrl?: string): Promise<void> {
    const { graceUntil } = row;
    try {
      await this.startAgain(row, source, formerUrl);
    } catch (error) {
      await this.handleFailure(row.id, graceUntil, error);
    }
  }

  private async startAgain(row: Broadcast, source: BroadcastSource, formerUrl?: string): Promise<void> {
    const room = await this.rooms.find(wholeAccount(row.accountID), row.meetingID);
    await this.opening.startSomewhere(row, source, { room, goesOn: { formerUrl } });
    this.logger.warn({ broadcastID: row.id, to: row.nodeID }, 'a broadcast goes on at another transcoder');
  }

  /** Clears the epoch, so that no late fact of the former transcoder counts. */
  private takeAway(seen: Broadcast): Promise<Broadcast | undefined> {
    return this.dataSource.transaction(async manager => {
      const row = await lockUnchanged(manager, Broadcast, seen);
      if (row) await updateRow(manager, Broadcast, row, { state: 'interrupted', nodeEpoch: null });
      return row;
    });
  }

  private async handleFailure(id: string, formerGrace: Date | null, error: unknown): Promise<void> {
    const { reason, message } = toServiceError(error);
    this.logger.warn({ broadcastID: id, reason, message }, 'a broadcast could not be started again yet');
    const graceUntil = formerGrace ?? graceEnd({ now: new Date(this.clock.now()), graceMs: this.settings.graceMs });
    await this.dataSource.transaction(async manager => {
      if (reason !== 'source_codec_unsupported') return this.lifecycle.postpone(manager, id, graceUntil);
      await this.lifecycle.endAll(manager, { id }, 'source_codec_unsupported', 'failed');
    });
  }
}

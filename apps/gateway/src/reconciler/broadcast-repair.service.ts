import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { toServiceError } from '@rtms/http';
import { DataSource } from 'typeorm';
import { wholeAccount } from '../auth/room-scope.js';
import { atMost, portionsOf, repairsAtOnce } from '../background/in-turns.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { BroadcastOpening } from '../broadcasts/broadcast-opening.service.js';
import { BroadcastSources, type BroadcastSource } from '../broadcasts/broadcast-sources.service.js';
import { Broadcast } from '../broadcasts/broadcast.entity.js';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import { handOverBroadcast } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { graceEnd } from '../media/fact-decision.js';
import { updateRow } from '../media/locked-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomsService } from '../rooms/rooms.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { lockUnchanged } from './lock-unchanged.js';

/** The broadcasts of so many sources are interrupted in one transaction. */
const sourcesAtOnce = 100;

/** Starts broadcasts that no transcoder has, or that a drained one has, on another one, or gives them up. */
@Injectable()
export class BroadcastRepair {
  private readonly logger = new Logger(BroadcastRepair.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionSources,
    private readonly sources: BroadcastSources,
    private readonly opening: BroadcastOpening,
    private readonly lifecycle: BroadcastLifecycle,
    private readonly rooms: RoomsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async restart(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, row => this.restartOne(row));
  }

  /** Their transcoder is drained: another goes on with them, and the former gives out what it has for a while. */
  async handOver(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, row => this.handOverOne(row));
  }

  /** Sources that were lost without their broadcasts hearing of it. */
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
    // Without its source it waits: the source's own grace time decides.
    if (source) await this.goOn(row, source);
  }

  /** While its source is away nobody could go on with it, so that it stays until that is back. */
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

  /** Nobody has it from here on, so that no late fact of the former transcoder counts. */
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

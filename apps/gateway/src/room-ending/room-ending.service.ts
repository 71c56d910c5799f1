import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { SessionLifecycle } from '../external-sessions/session-lifecycle.service.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { ParticipantsService } from '../participants/participants.service.js';
import { RoomEventsStore } from '../room-life/room-events.store.js';
import { RoomNewsBoard } from '../room-life/room-news.js';
import { RoomStateService } from '../rooms/room-state.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';

/** Ends rooms and all that runs in them. */
@Injectable()
export class RoomEndingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rooms: RoomStateService,
    private readonly sessions: SessionLifecycle,
    private readonly participants: ParticipantsService,
    private readonly commands: WorkerCommands,
    private readonly usage: UsageLedger,
    private readonly events: RoomEventsStore,
    private readonly news: RoomNewsBoard,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Ending an ended room changes nothing, save that it ends what is still in it. A room whose expiry was put off
   * meanwhile goes on.
   */
  async end(room: { id: string; expiresAt?: Date }, reason: EndReason): Promise<void> {
    const commandSteps = await this.dataSource.transaction(async manager => {
      if (!(await this.rooms.end(manager, room.id, reason))) return [];
      const steps = await this.sessions.endRoom(manager, room.id);
      const now = new Date(this.clock.now());
      await this.participants.leaveAll(manager, room.id, 'room_ended', now);
      await this.usage.finishRoom(manager, room.id, this.wasMissed(room, now) ? undefined : now);
      await this.log(manager, room.id, reason, now);
      return steps;
    });
    this.news.tell({ kind: 'events', meetingID: room.id });
    for (const commands of commandSteps) await this.commands.tell(commands);
  }

  /** No gateway was there when its time was over; nobody knows for how long, so what was not charged then is not. */
  private wasMissed({ expiresAt }: { expiresAt?: Date }, now: Date): boolean {
    return expiresAt !== undefined && now.getTime() - expiresAt.getTime() > this.settings.meteringIntervalMs;
  }

  /** The last event of the room; told once. */
  private async log(manager: EntityManager, meetingID: string, reason: EndReason, at: Date): Promise<void> {
    if (await this.events.hasEnded(manager, meetingID)) return;
    await this.events.append(manager, meetingID, [{ type: 'room.ended', body: { reason }, audience: null }], at);
  }

  /** Ends every room of an account. */
  async endAllOf(accountID: string): Promise<void> {
    for (const room of await this.rooms.listRunning(accountID)) await this.end(room, 'requested');
  }

  /** Ends the rooms whose time is over or whose account is disabled, and what slipped into rooms that have ended. */
  async sweep(now: Date): Promise<void> {
    const expired = await this.rooms.listExpired(now);
    const ended = await this.rooms.listEndedWithLiveMedia();
    for (const room of [...expired, ...ended]) await this.end(room, 'expired');
    for (const room of await this.rooms.listOfDisabledAccounts()) await this.end(room, 'requested');
  }
}

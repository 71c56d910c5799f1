import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { ParticipantsService } from '../records/participants.service.js';
import { RoomEventsRepository } from '../life/room-events.repository.js';
import { RoomsRepository } from '../records/rooms.repository.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';

/**
 * Ends the media of a room in the transaction that ends the room. Returns commands for media nodes in steps: a step begins
 * after the step before it is done.
 */
type EndContents = (manager: EntityManager, meetingID: string) => Promise<WorkerCommand[][]>;

/** Ends rooms together with their participants and media. */
@Injectable()
export class RoomEndingService {
  private readonly contents: EndContents[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly rooms: RoomsRepository,
    private readonly participants: ParticipantsService,
    private readonly commands: WorkerCommandsService,
    private readonly usage: UsageLedgerRepository,
    private readonly events: RoomEventsRepository,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Registers a function that ends a later domain's resources in the room. */
  onEnd(end: EndContents): void {
    this.contents.push(end);
  }

  /**
   * Idempotent: for an ended room it only ends leftover media. With the reason `expired` it leaves a room whose duration was
   * extended meanwhile.
   */
  async end(room: { id: string; expiresAt?: Date }, reason: EndReason): Promise<void> {
    const commandSteps = await this.dataSource.transaction(async manager => {
      if (!(await this.rooms.end(manager, room.id, reason))) return [];
      const steps: WorkerCommand[][] = [];
      for (const end of this.contents) steps.push(...(await end(manager, room.id)));
      const now = new Date(this.clock.now());
      await this.participants.leaveAll(manager, room.id, 'room_ended', now);
      await this.usage.finishRoom(manager, room.id, this.wasMissed(room, now) ? undefined : now);
      await this.log(manager, room.id, reason, now);
      return steps;
    });
    for (const commands of commandSteps) await this.commands.tell(commands);
  }

  /** No gateway ran when the room expired. Usage after the last charge is unknown, so nobody pays for it. */
  private wasMissed({ expiresAt }: { expiresAt?: Date }, now: Date): boolean {
    return expiresAt !== undefined && now.getTime() - expiresAt.getTime() > this.settings.meteringIntervalMs;
  }

  /** Appends the last event of the room once. */
  private async log(manager: EntityManager, meetingID: string, reason: EndReason, at: Date): Promise<void> {
    if (await this.events.hasEnded(manager, meetingID)) return;
    await this.events.append(manager, meetingID, [{ type: 'room.ended', body: { reason }, audience: null }], at);
  }

  /** Ends every room of an account. */
  async endAllOf(accountID: string): Promise<void> {
    for (const room of await this.rooms.listRunning(accountID)) await this.end(room, 'requested');
  }

  /** Ends expired rooms, rooms of disabled accounts, and leftover media of ended rooms. */
  async sweep(now: Date): Promise<void> {
    const expired = await this.rooms.listExpired(now);
    const ended = await this.rooms.listEndedWithLiveMedia();
    for (const room of [...expired, ...ended]) await this.end(room, 'expired');
    for (const room of await this.rooms.listOfDisabledAccounts()) await this.end(room, 'requested');
  }
}

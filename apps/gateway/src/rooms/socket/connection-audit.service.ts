import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { PresenceRepository, type StrayConnection } from '../life/presence.repository.js';
import { PresenceService } from '../life/presence.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import type { Actor } from './room-io.js';
import { MemberSocketsService } from './member-sockets.service.js';

/** Closes or restores connections whose announcement was lost: they were replaced, were given up, or have ended. */
@Injectable()
export class ConnectionAuditService extends RepeatingService {
  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly rows: PresenceRepository,
    private readonly connections: MemberSocketsService,
    private readonly presence: PresenceService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
  }

  protected async run(): Promise<void> {
    const all = this.connections.list();
    await this.auditMembers(all.filter(each => each.sessionID === undefined));
    await this.auditSessions(all.filter(each => each.sessionID !== undefined));
  }

  private async auditMembers(mine: readonly Actor[]): Promise<void> {
    if (mine.length === 0) return;
    for (const stray of await this.rows.listStray(mine, new Date(this.clock.now()))) await this.settle(stray);
  }

  /** A session that ended before it was active was never in the roster, so no room event closes its connection. */
  private async auditSessions(mine: readonly Actor[]): Promise<void> {
    if (mine.length === 0) return;
    const ended = await this.rows.listEndedSessions(mine.map(each => each.sessionID));
    for (const { sessionID, endReason } of ended)
      for (const { connectionID } of mine.filter(each => each.sessionID === sessionID))
        this.connections.end(connectionID, endReason ?? 'requested');
  }

  private async settle({ connectionID, currentID, leaveReason, ...participant }: StrayConnection): Promise<void> {
    if (leaveReason) this.connections.end(connectionID, leaveReason);
    else if (currentID !== null) this.connections.end(connectionID, 'replaced');
    else await this.presence.resume({ ...participant, connectionID }, () => this.connections.has(connectionID));
  }
}

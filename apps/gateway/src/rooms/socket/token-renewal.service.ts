import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { JoinTicketsService } from '../room/join-tickets.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import type { RoomSocket } from './room-io.js';

/** The fraction of a token's lifetime after which the gateway issues the next token. */
const share = 0.6;

/** Sends new join tokens to a connection, so that the client can always reconnect. */
@Injectable()
export class TokenRenewalService {
  private readonly logger = new Logger(TokenRenewalService.name);

  constructor(
    private readonly tickets: JoinTicketsService,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  start(socket: RoomSocket): Closeable {
    const untilExpiry = Math.max(0, socket.data.tokenExpiresAt * 1000 - this.clock.now());
    const renew = () => void this.issue(socket);
    const first = this.clock.after(untilExpiry * share, renew);
    const further = this.clock.every(this.settings.tokenTtlSeconds * 1000 * share, renew);
    return { close: () => Promise.resolve([first, further].forEach(timer => timer.cancel())) };
  }

  private async issue(socket: RoomSocket): Promise<void> {
    const { participantID, sessionID: id = participantID, role, meetingID } = socket.data.actor;
    try {
      const { token, expiresAt } = await this.tickets.issue({ id: meetingID }, { id, role });
      socket.emit('token', { token, expiresAt });
    } catch (error) {
      this.logger.warn(`a token was not renewed: ${messageOf(error)}`);
    }
  }
}

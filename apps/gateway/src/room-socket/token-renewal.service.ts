import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import { JoinTicketsService } from '../rooms/join-tickets.service.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import type { RoomSocket } from './room-io.js';

/** Of a token's lifetime, when the next one is given. */
const share = 0.6;

/** Keeps a connection in tokens, so that it can come back whenever it breaks. */
@Injectable()
export class TokenRenewal {
  private readonly logger = new Logger(TokenRenewal.name);

  constructor(
    private readonly tickets: JoinTicketsService,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
  ) {}

  start(socket: RoomSocket): Closeable {
    const untilExpiry = Math.max(0, socket.data.tokenExpiresAt * 1000 - Date.now());
    const renew = () => void this.issue(socket);
    const first = setTimeout(renew, untilExpiry * share).unref();
    const further = setInterval(renew, this.settings.tokenTtlSeconds * 1000 * share).unref();
    return { close: () => Promise.resolve([first, further].forEach(timer => clearTimeout(timer))) };
  }

  private async issue(socket: RoomSocket): Promise<void> {
    const { participantID, sessionID: id = participantID, role, meetingID } = socket.data.actor;
    try {
      const { token, expiresAt } = await this.tickets.issue({ id: meetingID }, { id, role });
      socket.emit('token', { token, expiresAt });
    } catch (error) {
      this.logger.warn(`a token was not renewed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

import type { Closeable } from '@rtms/bus';
import { ServiceError } from '@rtms/contracts';
import type { MediaRoom } from '../media/media-engine.js';
import type { RoomContext } from './room-context.js';

/** A room's place on a media worker; when the worker dies, another one's takes over. */
export class RoomMedia implements Closeable {
  private opening: Promise<MediaRoom> | undefined;
  private isWanted = false;
  private isClosed = false;

  constructor(
    private readonly meetingID: string,
    private readonly context: RoomContext,
    private readonly onLost: () => void,
  ) {}

  /** The place, found if there is none; a failure is tried again by the next call. */
  get(): Promise<MediaRoom> {
    if (this.isClosed) return Promise.reject(new ServiceError('room_ended', 'The room has ended.'));
    this.isWanted = true;
    this.opening ??= this.open();
    return this.opening;
  }

  /** Tries again to find a place after the worker died and the first attempt failed. */
  async retry(): Promise<void> {
    if (this.isClosed || !this.isWanted || this.opening) return;
    await this.get().catch((error: unknown) => {
      this.context.logger.warn({ err: error, meetingID: this.meetingID }, 'no media worker for a room yet');
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { opening } = this;
    this.opening = undefined;
    const room = await opening?.catch(() => undefined);
    await room?.close();
  }

  private async open(): Promise<MediaRoom> {
    try {
      const room = await this.context.engine.openRoom(this.meetingID);
      room.onLost(() => this.lose());
      return room;
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  private lose(): void {
    if (this.isClosed) return;
    this.opening = undefined;
    this.onLost();
    void this.retry();
  }
}

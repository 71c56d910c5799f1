import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@rtms/logging';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { SfuConfig } from '../sfu.config.js';
import { LOGGER, SFU_CONFIG } from '../sfu.tokens.js';
import { NodeState } from './node-state.js';

/** Empties the node: nothing new is placed here, and what is here has a bounded time to end by itself. */
@Injectable()
export class Drain {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(SFU_CONFIG) private readonly config: SfuConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly node: NodeState,
    private readonly rooms: RoomRegistry,
  ) {}

  /** Begins or calls it off. */
  set(isDraining: boolean): void {
    if (this.node.isDraining === isDraining) return;
    this.node.isDraining = isDraining;
    this.cancel();
    if (!isDraining) return;
    for (const playback of this.rooms.playbacks()) playback.tell('reconnect');
    this.timer = setTimeout(() => void this.endAll(), this.config.drainSeconds * 1000);
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  private async endAll(): Promise<void> {
    for (const room of this.rooms.list()) await room.members.dismiss();
    for (const { room, session } of this.rooms.sessions()) {
      await room.endSession(session.sessionID, 'node_drained').catch((error: unknown) => {
        this.logger.error({ err: error, sessionID: session.sessionID }, 'a session could not be ended');
      });
    }
  }
}

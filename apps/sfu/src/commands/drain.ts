import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DrainState, NodeDrain, type NodeWork } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { NodeRelaying } from '../relay/node-relaying.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { SfuConfig } from '../sfu.config.js';
import { CLOCK, LOGGER, SFU_CONFIG } from '../sfu.tokens.js';

/** Empties this node: viewers that listen receive `reconnect`, and sessions that stay too long are ended. */
@Injectable()
export class Drain extends NodeDrain {
  private announce: () => Promise<void> = () => Promise.resolve();

  constructor(
    @Inject(SFU_CONFIG) { drainSeconds }: SfuConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) clock: Clock,
    state: DrainState,
    rooms: RoomRegistry,
    { host }: NodeRelaying,
  ) {
    const work: NodeWork = {
      announce: () => this.announce(),
      tell: () => {
        rooms.tellViewers('reconnect');
        host.dismiss();
      },
      isEmpty: () => rooms.isIdle && host.isIdle,
      endAll: async () => {
        await endAll(rooms, logger);
        await host.closeAll();
      },
    };
    super(state, work, { drainSeconds }, clock);
  }

  /** How the gateway hears of it. */
  announceWith(announce: () => Promise<void>): void {
    this.announce = announce;
  }
}

/** Viewers that came after the drain began have not received `reconnect` yet. */
async function endAll(rooms: RoomRegistry, logger: Logger): Promise<void> {
  rooms.tellViewers('reconnect');
  for (const room of rooms.list()) await room.members.dismiss();
  for (const { room, session } of rooms.sessions()) {
    await room.endSession(session.sessionID, 'node_drained').catch((error: unknown) => {
      logger.error({ err: error, sessionID: session.sessionID }, 'a session could not be ended');
    });
  }
}

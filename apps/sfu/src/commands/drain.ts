import { Inject, Injectable } from '@nestjs/common';
import { DrainState, NodeDrain, type NodeWork } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { NodeRelaying } from '../relay/node-relaying.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { SfuConfig } from '../sfu.config.js';
import { LOGGER, SFU_CONFIG } from '../sfu.tokens.js';

/** How this node is emptied: viewers that listen are told `reconnect`, and what stays too long is ended. */
@Injectable()
export class Drain extends NodeDrain {
  private announce: () => Promise<void> = () => Promise.resolve();

  constructor(
    @Inject(SFU_CONFIG) { drainSeconds }: SfuConfig,
    @Inject(LOGGER) logger: Logger,
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
    super(state, work, { drainSeconds });
  }

  /** How the gateway hears of it. */
  announceWith(announce: () => Promise<void>): void {
    this.announce = announce;
  }
}

/** Who came after the beginning has not been told yet. */
async function endAll(rooms: RoomRegistry, logger: Logger): Promise<void> {
  rooms.tellViewers('reconnect');
  for (const room of rooms.list()) await room.members.dismiss();
  for (const { room, session } of rooms.sessions()) {
    await room.endSession(session.sessionID, 'node_drained').catch((error: unknown) => {
      logger.error({ err: error, sessionID: session.sessionID }, 'a session could not be ended');
    });
  }
}

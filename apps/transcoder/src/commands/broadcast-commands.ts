import type { Bus, Closeable } from '@rtms/bus';
import { transcoderCommands } from '@rtms/contracts';
import type { BroadcastsService } from '../jobs/broadcasts.service.js';

/** Answers the gateway's commands to this node until it is closed. */
export async function respondToCommands(
  bus: Bus,
  nodeID: string,
  broadcasts: BroadcastsService,
  epoch: number,
): Promise<Closeable> {
  const { startBroadcast, interruptBroadcast, resumeBroadcast, stopBroadcast, drain, inventory } = transcoderCommands;
  const responders = await Promise.all([
    bus.respond(
      startBroadcast.forNode(nodeID),
      done(request => broadcasts.start(request)),
    ),
    bus.respond(
      interruptBroadcast.forNode(nodeID),
      done(({ broadcastID }) => broadcasts.interrupt(broadcastID)),
    ),
    bus.respond(
      resumeBroadcast.forNode(nodeID),
      done(({ broadcastID, sfuNodeID }) => broadcasts.resume(broadcastID, sfuNodeID)),
    ),
    bus.respond(
      stopBroadcast.forNode(nodeID),
      done(({ broadcastID }) => broadcasts.stop(broadcastID)),
    ),
    bus.respond(
      drain.forNode(nodeID),
      done(({ draining }) => broadcasts.drain(draining)),
    ),
    bus.respond(inventory.forNode(nodeID), () =>
      Promise.resolve({ epoch, broadcasts: broadcasts.inventory(), recordings: [] }),
    ),
  ]);
  return { close: async () => void (await Promise.all(responders.map(responder => responder.close()))) };
}

/** A command whose reply says no more than that it was carried out. */
function done<Request>(command: (request: Request) => Promise<void> | void) {
  return async (request: Request): Promise<Record<string, never>> => {
    await command(request);
    return {};
  };
}

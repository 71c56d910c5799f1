import type { Bus, Closeable } from '@rtms/bus';
import { transcoderCommands } from '@rtms/contracts';
import type { RecordingsService } from '../recordings/recordings.service.js';
import type { BroadcastsService } from '../jobs/broadcasts.service.js';

export interface CommandedParts {
  broadcasts: BroadcastsService;
  recordings: RecordingsService;
  epoch: number;
  internalUrl: string;
}

/** Answers commands to this node until it is closed. */
export async function respondToCommands(bus: Bus, nodeID: string, parts: CommandedParts): Promise<Closeable> {
  const { broadcasts, recordings, epoch, internalUrl } = parts;
  const { startBroadcast, interruptBroadcast, resumeBroadcast, stopBroadcast } = transcoderCommands;
  const { startRecording, interruptRecording, resumeRecording, stopRecording, deleteRecording } = transcoderCommands;
  const { recordingOrigin, drain, inventory } = transcoderCommands;
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
      startRecording.forNode(nodeID),
      done(request => recordings.start(request)),
    ),
    bus.respond(
      interruptRecording.forNode(nodeID),
      done(({ recordingID }) => recordings.interrupt(recordingID)),
    ),
    bus.respond(
      resumeRecording.forNode(nodeID),
      done(({ recordingID, sfuNodeID }) => recordings.resume(recordingID, sfuNodeID)),
    ),
    bus.respond(
      stopRecording.forNode(nodeID),
      done(({ recordingID }) => recordings.stop(recordingID)),
    ),
    bus.respond(
      deleteRecording.forNode(nodeID),
      done(({ recordingID }) => recordings.delete(recordingID)),
    ),
    bus.respond(recordingOrigin.forNode(nodeID), () => Promise.resolve({ internalUrl })),
    bus.respond(
      drain.forNode(nodeID),
      done(({ draining }) => {
        broadcasts.drain(draining);
        recordings.drain(draining);
      }),
    ),
    bus.respond(inventory.forNode(nodeID), () =>
      Promise.resolve({ epoch, broadcasts: broadcasts.inventory(), recordings: recordings.inventory() }),
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

import type { Bus, Closeable, RequestContext } from '@rtms/bus';
import { transcoderCommands, type NodeCommand } from '@rtms/contracts';
import { loggedCommand, type Logger } from '@rtms/logging';
import type { BroadcastsService } from '../jobs/broadcasts.service.js';
import type { RecordingsService } from '../recordings/recordings.service.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import type { Drain } from './drain.js';

export interface CommandedParts {
  broadcasts: BroadcastsService;
  recordings: RecordingsService;
  drain: Drain;
  diagnosis: Diagnosis;
  epoch: number;
  internalUrl: string;
  logger: Logger;
}

type Answer = <Request, Reply>(
  command: NodeCommand<Request, Reply>,
  handler: (request: Request, context: RequestContext) => Promise<Reply>,
) => Promise<Closeable>;

/** Answers commands to this node until it is closed. */
export async function respondToCommands(bus: Bus, nodeID: string, parts: CommandedParts): Promise<Closeable> {
  const answer: Answer = (command, handler) =>
    bus.respond(command.forNode(nodeID), loggedCommand(parts.logger, command.name, handler));
  const responders = await Promise.all([
    ...answerBroadcasts(answer, parts),
    ...answerRecordings(answer, parts),
    ...answerNode(answer, parts),
  ]);
  return { close: async () => void (await Promise.all(responders.map(responder => responder.close()))) };
}

function answerBroadcasts(answer: Answer, { broadcasts }: CommandedParts): Promise<Closeable>[] {
  const { startBroadcast, interruptBroadcast, resumeBroadcast, handOverBroadcast, stopBroadcast } = transcoderCommands;
  return [
    answer(
      startBroadcast,
      done((request, requestID) => broadcasts.start(request, requestID)),
    ),
    answer(
      interruptBroadcast,
      done(({ broadcastID }) => broadcasts.interrupt(broadcastID)),
    ),
    answer(
      resumeBroadcast,
      done(({ broadcastID, ...source }) => broadcasts.resume(broadcastID, source)),
    ),
    answer(
      handOverBroadcast,
      done(({ broadcastID }) => broadcasts.handOver(broadcastID)),
    ),
    answer(
      stopBroadcast,
      done(({ broadcastID }) => broadcasts.stop(broadcastID)),
    ),
  ];
}

function answerRecordings(answer: Answer, { recordings, internalUrl }: CommandedParts): Promise<Closeable>[] {
  const { startRecording, interruptRecording, resumeRecording, stopRecording } = transcoderCommands;
  const { deleteRecording, recordingOrigin } = transcoderCommands;
  return [
    answer(
      startRecording,
      done((request, requestID) => recordings.start(request, requestID)),
    ),
    answer(
      interruptRecording,
      done(({ recordingID }) => recordings.interrupt(recordingID)),
    ),
    answer(
      resumeRecording,
      done(({ recordingID, ...source }) => recordings.resume(recordingID, source)),
    ),
    answer(
      stopRecording,
      done(({ recordingID }) => recordings.stop(recordingID)),
    ),
    answer(
      deleteRecording,
      done(({ recordingID }) => recordings.delete(recordingID)),
    ),
    answer(recordingOrigin, () => Promise.resolve({ internalUrl })),
  ];
}

function answerNode(
  answer: Answer,
  { broadcasts, recordings, drain, diagnosis, epoch }: CommandedParts,
): Promise<Closeable>[] {
  return [
    answer(
      transcoderCommands.drain,
      done(({ draining }) => (draining ? drain.begin() : drain.callOff())),
    ),
    answer(transcoderCommands.diagnose, () => diagnosis.diagnose()),
    answer(transcoderCommands.tryEndpoints, async ({ endpoints }) => ({ trials: await diagnosis.tryAll(endpoints) })),
    answer(transcoderCommands.inventory, () =>
      Promise.resolve({ epoch, broadcasts: broadcasts.inventory(), recordings: recordings.inventory() }),
    ),
  ];
}

/** A command whose reply says no more than that it was carried out. */
function done<Request>(command: (request: Request, requestID: string) => Promise<void> | void) {
  return async (request: Request, { requestID }: RequestContext): Promise<Record<string, never>> => {
    await command(request, requestID);
    return {};
  };
}

import {
  longestRenderSeconds,
  mostComposedSpans,
  mostRecordedSources,
  ServiceError,
  type RecordedSpan,
} from '@rtms/contracts';
import type { Recording } from '../resources/recording.entity.js';

/** The request of a composition. */
interface Chosen {
  meetingID?: string | null;
  recordingIDs?: readonly string[] | null;
  mainRecordingID?: string | null;
}

export type ComposableRecording = Recording & { spans: RecordedSpan[] };

/**
 * Returns the recordings that a request composes, of those that were found for it. Throws BAD_REQUEST and names the field, NOT_FOUND, or
 * CONFLICT with `recording_not_ready` or `recording_not_composable`.
 */
export function requireComposable(
  { meetingID, recordingIDs, mainRecordingID }: Chosen,
  found: readonly Recording[],
): [ComposableRecording, ...ComposableRecording[]] {
  if (!meetingID && !recordingIDs) throw invalid('Send meetingID or recordingIDs.');
  requireFound(recordingIDs ?? [], found);
  if (found.length > mostRecordedSources)
    throw invalid(`The room has more than ${mostRecordedSources} recordings. Choose some of them with recordingIDs.`);
  const [first, ...others] = found;
  if (!first) throw new ServiceError('not_found', 'meetingID: the room has no recordings of single sources.');
  requireSingleSources(found, meetingID ?? first.meetingID);
  if (mainRecordingID && !found.some(({ id }) => id === mainRecordingID))
    throw invalid('mainRecordingID must be one of the composed recordings.');
  const composable: [ComposableRecording, ...ComposableRecording[]] = [withFile(first), ...others.map(withFile)];
  requireOneStorage(composable);
  requireBounds(composable);
  return composable;
}

function requireFound(recordingIDs: readonly string[], found: readonly Recording[]): void {
  const unknown = recordingIDs.find(id => !found.some(row => row.id === id));
  if (unknown !== undefined) throw new ServiceError('not_found', `recordingIDs: there is no recording ${unknown}.`);
}

function requireSingleSources(found: readonly Recording[], meetingID: string): void {
  if (found.some(row => row.meetingID !== meetingID))
    throw invalid('recordingIDs must be of one room, that of meetingID.');
  const whole = found.find(({ composition }) => composition !== null);
  if (whole) throw invalid(`recordingIDs: ${whole.id} shows a whole room. Choose recordings of single sources.`);
}

function withFile(row: Recording): ComposableRecording {
  const { id, state, storage, spans } = row;
  if (state !== 'ready' || storage === null) {
    const advice = state === 'ready' || state === 'failed' ? 'It has no file.' : 'Wait until it is ready.';
    throw new ServiceError('recording_not_ready', `The recording ${id} cannot be composed. ${advice}`);
  }
  if (!spans) throw notComposable(`The recording ${id} does not tell when its media was recorded: its node was older.`);
  return Object.assign(row, { spans });
}

/** A transcoder reads its own disk and shared storage. */
function requireOneStorage(recordings: readonly Recording[]): void {
  const homes = new Set(recordings.map(({ storage, nodeID }) => (storage === 'shared' ? storage : nodeID)));
  if (homes.size > 1)
    throw notComposable('The files are on several nodes. Compose the recordings of one node, or use shared storage.');
}

function requireBounds(recordings: readonly ComposableRecording[]): void {
  const spans = recordings.flatMap(row => row.spans);
  if (spans.length > mostComposedSpans)
    throw notComposable(`The recordings were interrupted more than ${mostComposedSpans} times. Choose fewer of them.`);
  const begin = Math.min(...spans.map(({ startedAt }) => Date.parse(startedAt)));
  const end = Math.max(...spans.map(({ startedAt, seconds }) => Date.parse(startedAt) + seconds * 1000));
  if (!(end > begin)) throw notComposable('The recordings have no media.');
  if (end - begin > longestRenderSeconds * 1000)
    throw notComposable(
      `From the first media to the last there are more than ${longestRenderSeconds / 3600} hours. Choose fewer recordings.`,
    );
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message);
}

function notComposable(message: string): ServiceError {
  return new ServiceError('recording_not_composable', message);
}

import {
  canTransition,
  recordingTransitions,
  type EndReason,
  type RecordedFile,
  type RecordingFact,
  type RecordingState,
} from '@rtms/contracts';
import { graceEnd, type FactTiming, type RowChange } from '../resources/placement.js';
import type { Recording } from '../resources/recording.entity.js';

/**
 * `began`: minutes count from here. `paused`: minutes no longer count. `stopped`: no media follows. `surplus`: the gateway
 * must stop the recording. `ended`: there will be no file. `composed`: the file is composed from others, and its minutes count.
 */
export type RecordingEffect = 'began' | 'paused' | 'stopped' | 'surplus' | 'ended' | 'composed' | 'none';
type RecordingChange = RowChange<Recording, RecordingEffect>;
type RecordingRow = Pick<
  Recording,
  'state' | 'activatedAt' | 'pauseCount' | 'pausesLimit' | 'retentionDays' | 'sourceRecordingIDs'
>;

const dayMs = 86_400_000;

/** Decides the effect of a current fact. `ignored`: the recording's state allows no such transition. */
export function decideRecordingFact(
  row: RecordingRow,
  fact: RecordingFact,
  timing: FactTiming,
): RecordingChange | 'ignored' {
  switch (fact.type) {
    case 'recording.active':
      return begin(row, new Date(fact.since));
    case 'recording.interrupted':
      return fact.reason === 'source_lost' ? decidePause(row, new Date(fact.until)) : pauseRecorder(row);
    case 'recording.stopped':
      return reaches(row, 'processing')
        ? { set: stoppedRecording(fact.reason, new Date(fact.until), timing), effect: 'stopped' }
        : 'ignored';
    case 'recording.ready':
      return reaches(row, 'ready') ? finish(row, fact, timing) : 'ignored';
    case 'recording.failed':
      return reaches(row, 'failed') ? { set: failedRecording(fact.reason, timing.at), effect: 'ended' } : 'ignored';
    default:
      return fact satisfies never;
  }
}

export function isRunning({ state }: Pick<Recording, 'state'>): boolean {
  return state === 'starting' || state === 'recording';
}

function reaches({ state }: RecordingRow, next: RecordingState): boolean {
  return canTransition(recordingTransitions, state, next);
}

function begin(row: RecordingRow, since: Date): RecordingChange | 'ignored' {
  if (row.state === 'recording') return { set: {}, effect: 'began' };
  if (!reaches(row, 'recording')) return 'ignored';
  return { set: { state: 'recording', activatedAt: row.activatedAt ?? since }, effect: 'began' };
}

function pauseRecorder(row: RecordingRow): RecordingChange | 'ignored' {
  return isRunning(row) ? { set: {}, effect: 'paused' } : 'ignored';
}

/** Decides the effect of a lost source, or of a room that became empty. */
export function decidePause(row: RecordingRow, until: Date): RecordingChange | 'ignored' {
  if (!isRunning(row)) return 'ignored';
  const pauseCount = row.pauseCount + 1;
  if (pauseCount <= row.pausesLimit) return { set: { pauseCount }, effect: 'paused' };
  return {
    set: { pauseCount, state: 'processing', endReason: 'pauses_exceeded', endedAt: until, graceUntil: null },
    effect: 'surplus',
  };
}

/** After the loss of its node, another node may continue the recording until `graceUntil`. */
export function stoppedRecording(
  endReason: EndReason,
  endedAt: Date,
  timing: Pick<FactTiming, 'now' | 'graceMs'>,
): Partial<Recording> {
  const isLost = endReason === 'node_lost' || endReason === 'node_drained';
  return { state: 'processing', endReason, endedAt, graceUntil: isLost ? graceEnd(timing) : null };
}

export function failedRecording(endReason: EndReason, at: Date): Partial<Recording> {
  return { state: 'failed', endReason, endedAt: at };
}

function finish(row: RecordingRow, file: RecordedFile, timing: FactTiming): RecordingChange {
  const set = readyRecording(row, file, timing);
  if (!row.sourceRecordingIDs) return { set, effect: 'none' };
  return { set: { ...set, ...timesOfMedia(file) }, effect: 'composed' };
}

/** A composition of files begins and ends with the media in them. */
function timesOfMedia({ spans: [first] = [], durationSeconds }: RecordedFile): Partial<Recording> {
  if (!first) return {};
  const activatedAt = new Date(first.startedAt);
  return { activatedAt, endedAt: new Date(activatedAt.getTime() + durationSeconds * 1000) };
}

function readyRecording(row: RecordingRow, file: RecordedFile, { now }: FactTiming): Partial<Recording> {
  const {
    format,
    durationSeconds,
    sizeBytes,
    width = null,
    height = null,
    checksumSha256,
    storage,
    spans = null,
  } = file;
  const expiresAt = new Date(now.getTime() + row.retentionDays * dayMs);
  const stored = { format, durationSeconds, sizeBytes, width, height, checksumSha256, storage, spans };
  return { state: 'ready', ...stored, addHLS: file.hasHLS === true, expiresAt };
}

import { rm } from 'node:fs/promises';
import type { Clock } from '@rtms/clock';
import type { EndReason, FactBody, RecordedFile, RecordingFact } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { isNoSpace } from '../../disk.js';
import type { Recorder } from '../../encoder/recorder.js';
import type { RecordingBudget } from './recording-budget.js';
import { joinedFile, type RecordingDirectory, type RecordedPart } from './recording-directory.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { cutToFragments, secondsOfFragments } from './mp4-file.js';
import { describeFile, describeStored } from './recorded-file.js';
import { mostHlsBytes, type FinishedRecording, type HlsFiles } from '../thumbnails/hls-files.js';
import type { Storyboards } from '../thumbnails/storyboards.js';
import { planJoin, spansOf } from '../../rtp/part-shape.js';
import type { UnfinishedRecordings } from './unfinished-recordings.js';

/** Outbox for facts about recordings. */
export interface RecordingReports {
  report(recordingID: string, body: FactBody, requestID?: string): unknown;
  forget(recordingID: string): void;
  /** Resolves when the bus has stored all reported facts. */
  flush(): Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export interface RecordingFinisherParts {
  recorder: Recorder;
  store: RecordingStore;
  storyboards: Storyboards;
  hls: HlsFiles;
  reports: RecordingReports;
  budget: RecordingBudget;
  /** undefined: only this node has the parts. */
  unfinished: UnfinishedRecordings | undefined;
  clock: Clock;
  logger: Logger;
}

/** Creates the files of stopped recordings. */
export class RecordingFinisher {
  constructor(private readonly parts: RecordingFinisherParts) {}

  /**
   * Joins and stores the parts. Returns the fact to report; undefined if another node completes the recording. Waits for an
   * unavailable store and for space on a full disk.
   */
  async makeFile(directory: RecordingDirectory, signal: AbortSignal): Promise<RecordingFact | undefined> {
    const reserve = () => this.parts.budget.reserveJoin(directory);
    const release = await this.retry(reserve, isNoSpace, directory, signal);
    try {
      return await this.makeFileInBudget(directory, signal);
    } finally {
      release();
    }
  }

  private async makeFileInBudget(
    directory: RecordingDirectory,
    signal: AbortSignal,
  ): Promise<RecordingFact | undefined> {
    const { recordingID } = directory;
    const { recorder, store, storyboards, unfinished } = this.parts;
    const join = () => joinParts(directory, recorder, signal);
    const joined = await this.retry(join, isNoSpace, directory, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.parts.logger.error({ err: error, recordingID }, 'cannot join the parts of a recording');
      return 'failed' as const;
    });
    if (joined === 'failed') return { type: 'recording.failed', reason: 'recorder_failed' };
    if (!joined) return { type: 'recording.failed', reason: whyNothing(directory) };
    // Before the file, so that a reader of a `ready` recording finds the storyboard.
    if ('width' in joined.described) {
      await storyboards.make(finishedRecording(directory, joined), signal);
    }
    const hasHLS = directory.notes.request.addHLS === true && (await this.makeHls(directory, joined, signal));
    const put = async () => {
      if (await unfinished?.isTaken(recordingID)) return undefined;
      // Another node may store its file after the claim was read. Both then report the file that is stored.
      const result = await store.put(recordingID, joined.path, signal);
      if (result === 'stored') return joined.described;
      const stored = await describeStored(store, recordingID);
      return stored.checksumSha256 === joined.described.checksumSha256 ? joined.described : stored;
    };
    const described = await this.retry(put, () => true, directory, signal);
    if (!described) return undefined;
    const file = { ...described, storage: store.storage, ...(hasHLS && { hasHLS }) };
    // Without this note, the next start would join and store the parts again.
    await directory
      .note({ file })
      .catch((err: unknown) =>
        this.parts.logger.error({ err, recordingID }, 'cannot save the note of a stored recording'),
      );
    return ready(file);
  }

  /** Returns whether the HLS is stored. Never rejects. */
  private async makeHls(directory: RecordingDirectory, joined: JoinedRecording, signal: AbortSignal): Promise<boolean> {
    const { budget, hls, logger } = this.parts;
    const { recordingID } = directory;
    const { sizeBytes, durationSeconds } = joined.described;
    const release = await budget
      .reserveHls(directory, mostHlsBytes(sizeBytes, durationSeconds))
      .catch((err: unknown) => void logger.error({ err, recordingID }, 'cannot measure the disk of the recordings'));
    if (!release) {
      logger.warn({ recordingID }, 'a recording is not stored as HLS, because other recordings need the disk');
      return false;
    }
    try {
      return await hls.make(finishedRecording(directory, joined), signal);
    } finally {
      release();
    }
  }

  /** Retries after 1 s, 2 s, 4 s … 60 s until the node stops. */
  private async retry<Result>(
    attempt: () => Promise<Result>,
    isTemporary: (error: unknown) => boolean,
    { recordingID }: RecordingDirectory,
    signal: AbortSignal,
  ): Promise<Result> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (!isTemporary(error)) throw error;
        this.parts.logger.warn(
          { err: error, recordingID, pauseMs },
          'retrying: the disk is full or the store is unavailable',
        );
        await this.parts.clock.pause(pauseMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** Deletes the notes and the pieces after the bus has stored the facts. */
  async forget(directory: RecordingDirectory, signal: AbortSignal): Promise<void> {
    const flushed = this.parts.reports.flush();
    const aborted = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([flushed, aborted]);
    this.parts.reports.forget(directory.recordingID);
    if (signal.aborted) return;
    const { recordingID } = directory;
    await this.parts.unfinished
      ?.complete(recordingID)
      .catch((err: unknown) => this.parts.logger.warn({ err, recordingID }, 'cannot remove pieces of a recording'));
    await directory.remove();
  }
}

/** Returns the reason for a recording without media. */
function whyNothing({ notes: { stopped } }: RecordingDirectory): EndReason {
  return stopped?.reason === 'source_too_large' ? stopped.reason : 'nothing_recorded';
}

export function ready(file: RecordedFile): RecordingFact {
  return { type: 'recording.ready', ...file };
}

interface JoinedRecording {
  path: string;
  described: Omit<RecordedFile, 'storage'>;
}

function finishedRecording(directory: RecordingDirectory, { path, described }: JoinedRecording): FinishedRecording {
  // The requests of earlier gateways name no account.
  const { recordingID, accountID = recordingID } = directory.notes.request;
  return { recordingID, accountID, path, durationSeconds: described.durationSeconds };
}

/** Joins the parts to one file. Returns undefined if the parts are empty. Safe to repeat, because a failure keeps the parts. */
async function joinParts(
  directory: RecordingDirectory,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<JoinedRecording | undefined> {
  const parts = await usableParts(directory);
  if (parts.length === 0) return undefined;
  const path = directory.pathOf(joinedFile);
  await rm(path, { force: true });
  const plan = planJoin(parts.map(({ shape }) => shape));
  const [{ startedAt } = { startedAt: undefined }] = parts;
  try {
    await recorder.join({ plan, parts, startedAt, directory: directory.path, path }, signal);
    const described = await describeFile(path);
    // Without its times a recording is still better than none.
    const spans = await timesOf(directory, parts, described.durationSeconds).catch(() => undefined);
    return { path, described: { ...described, ...(spans && { spans }) } };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function timesOf(directory: RecordingDirectory, parts: readonly RecordedPart[], durationSeconds: number) {
  const timed = parts.map(async ({ file, startedAt, seconds }) => {
    return { startedAt, seconds: seconds ?? (await secondsOfFragments(directory.pathOf(file))) };
  });
  return spansOf(await Promise.all(timed), durationSeconds);
}

async function usableParts(directory: RecordingDirectory): Promise<RecordedPart[]> {
  const isUsable = await Promise.all(
    directory.notes.parts.map(({ file }) => cutToFragments(directory.pathOf(file)).catch(() => false)),
  );
  return directory.notes.parts.filter((_, index) => isUsable[index]);
}

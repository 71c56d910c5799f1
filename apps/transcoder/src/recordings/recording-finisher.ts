import type { Clock } from '@rtms/clock';
import type { EndReason, FactBody, RecordedFile, RecordingFact } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { isNoSpace } from '../disk.js';
import { joinParts } from './join-parts.js';
import type { Recorder } from './recorder.js';
import type { RecordingDirectory } from './recording-directory.js';
import type { RecordingStore } from './store/recording-store.js';

/** Takes facts about recordings and keeps them until the bus has them. */
export interface RecordingReports {
  report(recordingID: string, body: FactBody, requestID?: string): unknown;
  forget(recordingID: string): void;
  /** Resolves when the bus has all that was reported. */
  flush(): Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export interface RecordingFinisherParts {
  recorder: Recorder;
  store: RecordingStore;
  reports: RecordingReports;
  /** Of the disk of a directory. */
  freeBytes: (directory: string) => Promise<number>;
  clock: Clock;
  logger: Logger;
}

/** Makes the files of recordings that have stopped. */
export class RecordingFinisher {
  constructor(private readonly parts: RecordingFinisherParts) {}

  /** Returns the fact to report. Waits for a store that is away, and for room on a full disk. */
  async makeFile(directory: RecordingDirectory, signal: AbortSignal): Promise<RecordingFact> {
    const { recordingID } = directory;
    const join = () => joinParts(directory, this.parts, signal);
    const joined = await this.retry(join, isNoSpace, directory, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.parts.logger.error({ err: error, recordingID }, 'a recording could not be joined');
      return 'failed' as const;
    });
    if (joined === 'failed') return { type: 'recording.failed', reason: 'recorder_failed' };
    if (!joined) return { type: 'recording.failed', reason: whyNothing(directory) };
    const file = { ...joined.described, storage: this.parts.store.storage };
    const put = () => this.parts.store.put(recordingID, joined.path, signal);
    await this.retry(put, () => true, directory, signal);
    // Without the note the next start joins the parts again, and stores the same file.
    await directory
      .note({ file })
      .catch((err: unknown) => this.parts.logger.error({ err, recordingID }, 'a stored recording could not be noted'));
    return ready(file);
  }

  /** Retries after 1 s, 2 s, 4 s … 60 s, for as long as the node runs. */
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
        this.parts.logger.warn({ err: error, recordingID, pauseMs }, 'a recording waits for room or for the store');
        await this.parts.clock.pause(pauseMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** The notes stay until the bus has what they say. */
  async forget(directory: RecordingDirectory, signal: AbortSignal): Promise<void> {
    const flushed = this.parts.reports.flush();
    const aborted = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([flushed, aborted]);
    this.parts.reports.forget(directory.recordingID);
    if (!signal.aborted) await directory.remove();
  }
}

/** Of a recording without media. */
function whyNothing({ notes: { stopped } }: RecordingDirectory): EndReason {
  return stopped?.reason === 'source_too_large' ? stopped.reason : 'nothing_recorded';
}

export function ready(file: RecordedFile): RecordingFact {
  return { type: 'recording.ready', ...file };
}

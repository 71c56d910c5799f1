import { setTimeout as pause } from 'node:timers/promises';
import type { FactBody, RecordedFile, RecordingFact } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
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
  logger: Logger;
}

/** Makes files of recordings to which nothing is added any more. */
export class RecordingFinisher {
  constructor(private readonly parts: RecordingFinisherParts) {}

  /** What is to be reported. A store that is away is waited for. */
  async makeFile(directory: RecordingDirectory, signal: AbortSignal): Promise<RecordingFact> {
    const joined = await joinParts(directory, this.parts.recorder, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.parts.logger.error({ err: error, recordingID: directory.recordingID }, 'a recording could not be joined');
      return 'failed' as const;
    });
    if (joined === 'failed') return { type: 'recording.failed', reason: 'recorder_failed' };
    if (!joined) return { type: 'recording.failed', reason: 'nothing_recorded' };
    const file = { ...joined.described, storage: this.parts.store.storage };
    await this.putUntilStored(directory.recordingID, joined.path, signal);
    await directory.note({ file });
    return ready(file);
  }

  /** A store that is away comes back; the recording waits for it. */
  private async putUntilStored(recordingID: string, path: string, signal: AbortSignal): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.parts.store.put(recordingID, path, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.parts.logger.warn({ err: error, recordingID }, 'a recording waits for the store');
        await pause(pauseMs, undefined, { signal });
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

export function ready(file: RecordedFile): RecordingFact {
  return { type: 'recording.ready', ...file };
}

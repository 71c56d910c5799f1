import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type EndReason,
  type RecordingFact,
  type RecordingInventory,
  type StartRecordingRequest,
} from '@rtms/contracts';
import { OnCommand, type DrainState, type RequestOf } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import { refuseFullDisk } from '../../disk.js';
import { requireCapacity } from '../job-limits.js';
import type { OpenFeed } from '../../rtp/source-feed.js';
import type { Recorder } from '../../encoder/recorder.js';
import { RecordingDirectory } from './recording-directory.js';
import { ready, RecordingFinisher, type RecordingReports } from './recording-finisher.js';
import { RecordingJob } from './recording-job.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';

export interface RecordingsParts {
  bus: Bus;
  recorder: Recorder;
  store: RecordingStore;
  reports: RecordingReports;
  drain: DrainState;
  /** Returns the free bytes of a directory's disk. */
  freeBytes: (directory: string) => Promise<number>;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
}

export interface RecordingsOptions {
  /** Directory of unfinished recordings. It survives a restart of the node. */
  workDirectory: string;
  maxRecordings: number;
  /** ms that `close` waits for files in progress. */
  closeTimeoutMs: number;
}

interface NamedRecording {
  recordingID: string;
}

interface Entry {
  /** undefined until it is created. */
  directory: RecordingDirectory | undefined;
  /** undefined for a recording of an earlier process. */
  job: RecordingJob | undefined;
  /** ID of the request that started the recording. */
  requestID: string | undefined;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
  finishing: Promise<void> | undefined;
  abort: AbortController;
}

/** The recordings of this node. All commands are idempotent by recording ID. */
export class RecordingsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  private readonly finisher: RecordingFinisher;

  constructor(
    private readonly parts: RecordingsParts,
    private readonly options: RecordingsOptions,
  ) {
    this.finisher = new RecordingFinisher(parts);
  }

  /** No recording runs, and no file is in progress. */
  get isIdle(): boolean {
    return this.entries.size === 0;
  }

  get load(): number {
    return this.inventory().filter(({ state }) => state !== 'processing').length;
  }

  /** Finishes recordings of an earlier process in the background. Call it before any command. */
  async recover(): Promise<void> {
    const { logger } = this.parts;
    const left = await RecordingDirectory.openAll(this.options.workDirectory, (path, err) =>
      logger.error({ path, err }, 'cannot read the notes of a recording, keeping its files'),
    );
    for (const directory of left) {
      logger.warn({ recordingID: directory.recordingID }, 'finishing a recording of an earlier process');
      const entry = newEntry(directory);
      this.entries.set(directory.recordingID, entry);
      entry.finishing = this.recoverOne(directory, entry);
    }
  }

  /** Resolves when the SFU node sends the source's media. */
  @OnCommand(transcoderCommands.startRecording)
  start(request: StartRecordingRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    const existing = this.entries.get(request.recordingID);
    if (existing) return existing.starting;
    requireCapacity(this.parts.drain, this.load, this.options.maxRecordings);
    const entry = newEntry(undefined, requestID);
    this.entries.set(request.recordingID, entry);
    return (entry.starting = this.open(request, entry));
  }

  @OnCommand(transcoderCommands.interruptRecording)
  async interrupt({ recordingID }: NamedRecording): Promise<void> {
    await this.entries.get(recordingID)?.job?.interrupt();
  }

  @OnCommand(transcoderCommands.resumeRecording)
  async resume({ recordingID, ...source }: RequestOf<typeof transcoderCommands.resumeRecording>): Promise<void> {
    const job = this.entries.get(recordingID)?.job;
    if (!job) throw new ServiceError('not_found', 'This node has no such recording.');
    await job.resume(source);
  }

  /** Stops the recording. The file is created after the reply. */
  @OnCommand(transcoderCommands.stopRecording)
  stop({ recordingID }: NamedRecording): Promise<void> {
    return this.stopFor(recordingID, 'requested');
  }

  /** Deletes the file and the parts. */
  @OnCommand(transcoderCommands.deleteRecording)
  async delete({ recordingID }: NamedRecording): Promise<void> {
    const entry = this.entries.get(recordingID);
    entry?.abort.abort();
    await this.stop({ recordingID });
    await entry?.finishing;
    await entry?.directory?.remove();
    await this.parts.store.delete(recordingID);
  }

  inventory(): RecordingInventory[] {
    return [...this.entries].map(([recordingID, { job }]) => ({ recordingID, state: job?.state ?? 'processing' }));
  }

  /** Process ids of the recorders, by recording. */
  recorderPids(): Map<string, number | undefined> {
    return new Map([...this.entries].map(([recordingID, { job }]) => [recordingID, job?.recorderPid]));
  }

  /** Ends all recordings before the node stops, and creates their files. */
  async leaveAll(): Promise<void> {
    const ids = [...this.entries.keys()];
    await Promise.all(ids.map(recordingID => this.stopFor(recordingID, 'node_drained').catch(() => undefined)));
  }

  /** Like `leaveAll`. The next start finishes files that are not ready in time. */
  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    const entries = [...this.entries];
    const timer = this.parts.clock.after(this.options.closeTimeoutMs, () => this.abortAll());
    await this.leaveAll();
    for (const [, entry] of entries) await entry.finishing;
    timer.cancel();
  }

  private async stopFor(recordingID: string, reason: EndReason): Promise<void> {
    const entry = this.entries.get(recordingID);
    await entry?.starting.catch(() => undefined);
    // A failed start has removed the entry.
    if (!entry?.job || this.entries.get(recordingID) !== entry) return;
    await (entry.ending ??= this.end(entry.job, entry, reason));
  }

  private abortAll(): void {
    for (const { abort } of this.entries.values()) abort.abort();
  }

  private async open(request: StartRecordingRequest, entry: Entry): Promise<void> {
    const { workDirectory } = this.options;
    try {
      refuseFullDisk(await this.parts.freeBytes(workDirectory));
      entry.directory = await RecordingDirectory.create(workDirectory, request);
      entry.job = this.makeJob(request, entry.directory, entry.requestID);
      await entry.job.start();
    } catch (error) {
      await this.giveUp(request.recordingID, entry);
      throw error;
    }
  }

  private makeJob(
    request: StartRecordingRequest,
    directory: RecordingDirectory,
    requestID: string | undefined,
  ): RecordingJob {
    const { recordingID } = request;
    const { bus, recorder, openFeed, clock } = this.parts;
    const logger = this.parts.logger.child({ recordingID, requestID });
    const logFailure = (err: unknown): void => logger.error({ err }, 'cannot stop a recording');
    return new RecordingJob(request, {
      bus: requesterFor(bus, requestID),
      recorder,
      directory,
      openFeed,
      clock,
      logger,
      report: fact => this.report(recordingID, fact),
      onEnd: reason => void this.stopFor(recordingID, reason).catch(logFailure),
    });
  }

  /** Removes a recording that did not start. Only the caller of `start` receives the error. */
  private async giveUp(recordingID: string, { job, directory }: Entry): Promise<void> {
    this.entries.delete(recordingID);
    this.parts.drain.noteEnd();
    await job?.close();
    await directory?.remove();
  }

  private async end(job: RecordingJob, entry: Entry, reason: EndReason): Promise<void> {
    await job.stop(reason);
    if (entry.directory) entry.finishing = this.finish(entry.directory, entry);
  }

  private async recoverOne(directory: RecordingDirectory, entry: Entry): Promise<void> {
    const { stopped } = directory.notes;
    const until = stopped?.until ?? (await directory.lastWrittenAt()).toISOString();
    const reason = stopped?.reason ?? 'node_lost';
    this.report(directory.recordingID, { type: 'recording.stopped', reason, until });
    await this.finish(directory, entry);
  }

  /** Never rejects. An aborted recording keeps its files for the next start. */
  private async finish(directory: RecordingDirectory, { abort: { signal } }: Entry): Promise<void> {
    const { recordingID } = directory;
    try {
      const fact = directory.notes.file ? ready(directory.notes.file) : await this.finisher.makeFile(directory, signal);
      this.report(recordingID, fact);
      await this.finisher.forget(directory, signal);
    } catch (error) {
      if (!signal.aborted) this.parts.logger.error({ err: error, recordingID }, 'cannot finish a recording');
    }
    this.entries.delete(recordingID);
    this.parts.drain.noteEnd();
  }

  private report(recordingID: string, fact: RecordingFact): void {
    const requestID = this.entries.get(recordingID)?.requestID;
    this.parts.reports.report(recordingID, fact, requestID);
    this.parts.logger.info(
      { recordingID, requestID, fact: fact.type, ...('reason' in fact && { reason: fact.reason }) },
      'recording',
    );
  }
}

function newEntry(directory: RecordingDirectory | undefined, requestID?: string): Entry {
  const [abort, starting] = [new AbortController(), Promise.resolve()];
  return { directory, job: undefined, requestID, starting, ending: undefined, finishing: undefined, abort };
}

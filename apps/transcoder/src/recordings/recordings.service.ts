import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  type EndReason,
  type RecordingFact,
  type RecordingInventory,
  type ResumedSource,
  type StartRecordingRequest,
} from '@rtms/contracts';
import type { DrainState } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { refuseFullDisk } from '../disk.js';
import type { OpenFeed } from '../jobs/source-feed.js';
import type { Recorder } from './recorder.js';
import { RecordingDirectory } from './recording-directory.js';
import { ready, RecordingFinisher, type RecordingReports } from './recording-finisher.js';
import { RecordingJob } from './recording-job.js';
import type { RecordingStore } from './store/recording-store.js';

export interface RecordingsParts {
  bus: Bus;
  recorder: Recorder;
  store: RecordingStore;
  reports: RecordingReports;
  drain: DrainState;
  /** Of the disk of a directory. */
  freeBytes: (directory: string) => Promise<number>;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
}

export interface RecordingsOptions {
  /** Where recordings are while they are made; outlives the node's process. */
  workDirectory: string;
  maxRecordings: number;
  /** How long what is being made may take when the node goes. */
  closeTimeoutMs: number;
}

interface Entry {
  /** undefined until it has one. */
  directory: RecordingDirectory | undefined;
  /** undefined: an earlier life of the node recorded it. */
  job: RecordingJob | undefined;
  /** Of the one that it was started by. */
  requestID: string | undefined;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
  finishing: Promise<void> | undefined;
  abort: AbortController;
}

/** The recordings of this node. Every method is idempotent by recording. */
export class RecordingsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  private readonly finisher: RecordingFinisher;

  constructor(
    private readonly parts: RecordingsParts,
    private readonly options: RecordingsOptions,
  ) {
    this.finisher = new RecordingFinisher(parts);
  }

  /** Nothing is recorded, and no file is being made. */
  get isIdle(): boolean {
    return this.entries.size === 0;
  }

  get load(): number {
    return this.inventory().filter(({ state }) => state !== 'processing').length;
  }

  /** Makes files of what an earlier life left, in the background. Before any command comes. */
  async recover(): Promise<void> {
    const { logger } = this.parts;
    const left = await RecordingDirectory.openAll(this.options.workDirectory, (path, err) =>
      logger.error({ path, err }, 'the notes of a recording cannot be read: its files stay where they are'),
    );
    for (const directory of left) {
      logger.warn({ recordingID: directory.recordingID }, 'a recording of an earlier start is finished');
      const entry = newEntry(directory);
      this.entries.set(directory.recordingID, entry);
      entry.finishing = this.recoverOne(directory, entry);
    }
  }

  /** Resolves when the source's media is on its way here. */
  start(request: StartRecordingRequest, requestID?: string): Promise<void> {
    const existing = this.entries.get(request.recordingID);
    if (existing) return existing.starting;
    this.requireRoom();
    const entry = newEntry(undefined, requestID);
    this.entries.set(request.recordingID, entry);
    return (entry.starting = this.open(request, entry));
  }

  async interrupt(recordingID: string): Promise<void> {
    await this.entries.get(recordingID)?.job?.interrupt();
  }

  async resume(recordingID: string, source: ResumedSource): Promise<void> {
    const job = this.entries.get(recordingID)?.job;
    if (!job) throw new ServiceError('not_found', 'This node has no such recording.');
    await job.resume(source);
  }

  /** Nothing is added any more when it resolves; the file is made afterwards. */
  async stop(recordingID: string, reason: EndReason = 'requested'): Promise<void> {
    const entry = this.entries.get(recordingID);
    await entry?.starting.catch(() => undefined);
    // A start that failed has given the entry up.
    if (!entry?.job || this.entries.get(recordingID) !== entry) return;
    await (entry.ending ??= this.end(entry.job, entry, reason));
  }

  /** The file, and whatever there is of an unfinished one. */
  async delete(recordingID: string): Promise<void> {
    const entry = this.entries.get(recordingID);
    entry?.abort.abort();
    await this.stop(recordingID);
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

  /** The node goes: its recordings end, and their files are made. */
  async leaveAll(): Promise<void> {
    const ids = [...this.entries.keys()];
    await Promise.all(ids.map(recordingID => this.stop(recordingID, 'node_drained').catch(() => undefined)));
  }

  /** As `leaveAll`, and what can't be finished in time is finished at the next start. */
  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    const entries = [...this.entries];
    const timer = this.parts.clock.after(this.options.closeTimeoutMs, () => this.abortAll());
    await this.leaveAll();
    for (const [, entry] of entries) await entry.finishing;
    timer.cancel();
  }

  private abortAll(): void {
    for (const { abort } of this.entries.values()) abort.abort();
  }

  private requireRoom(): void {
    if (this.parts.drain.isDraining)
      throw new ServiceError('controller_unavailable', 'This transcoder takes no new recordings.');
    if (this.load < this.options.maxRecordings) return;
    throw new ServiceError('capacity_reached', 'All transcoders are busy. Try again in a moment.');
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
    const logFailure = (err: unknown): void => logger.error({ err }, 'a recording could not be stopped');
    return new RecordingJob(request, {
      bus: requesterFor(bus, requestID),
      recorder,
      directory,
      openFeed,
      clock,
      logger,
      report: fact => this.report(recordingID, fact),
      onEnd: reason => void this.stop(recordingID, reason).catch(logFailure),
    });
  }

  /** The recording never began: only the caller of `start` learns of it. */
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

  /** Never fails. What is aborted stays where it is, for the next start. */
  private async finish(directory: RecordingDirectory, { abort: { signal } }: Entry): Promise<void> {
    const { recordingID } = directory;
    try {
      const fact = directory.notes.file ? ready(directory.notes.file) : await this.finisher.makeFile(directory, signal);
      this.report(recordingID, fact);
      await this.finisher.forget(directory, signal);
    } catch (error) {
      if (!signal.aborted) this.parts.logger.error({ err: error, recordingID }, 'a recording was not finished');
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

import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type EndReason,
  type RecordingInventory,
  type RenderRecordingRequest,
  type StartRecordingRequest,
} from '@rtms/contracts';
import { OnCommand, type DrainState, type RequestOf } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import { requireCapacity } from '../job-limits.js';
import type { OpenFeed } from '../../rtp/source-feed.js';
import type { Recorder } from '../../encoder/recorder.js';
import { RecordingBudget } from './recording-budget.js';
import { RecordingDirectory } from './recording-directory.js';
import type { HlsFiles } from '../thumbnails/hls-files.js';
import type { RecordingReports } from './recording-finisher.js';
import { ComposedRecordingJob } from './composed-recording-job.js';
import { RecordingJob, type RecordingJobParts } from './recording-job.js';
import { StoppedRecordings } from './stopped-recordings.js';
import type { Storyboards } from '../thumbnails/storyboards.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import type { PieceShipper, UnfinishedRecordings } from './unfinished-recordings.js';

export interface RecordingsParts {
  bus: Bus;
  recorder: Recorder;
  store: RecordingStore;
  storyboards: Storyboards;
  hls: HlsFiles;
  /** undefined: only this node can complete its recordings. */
  unfinished?: UnfinishedRecordings | undefined;
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
  /** Bytes that all recordings on the node's disk may use. */
  maxBytes: number;
  /** ms that `close` waits for files in progress. */
  closeTimeoutMs: number;
}

interface NamedRecording {
  recordingID: string;
}

/** A recording mostly copies its input, so it takes a tenth of a broadcast's place. A composition encodes like a broadcast. */
const copiedShare = 0.1;

/** A running recording. */
interface Entry {
  isComposed: boolean;
  /** undefined until it is created. */
  directory: RecordingDirectory | undefined;
  job: RecordingJob | ComposedRecordingJob | undefined;
  /** ID of the request that started the recording. */
  requestID: string | undefined;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
  shipper: PieceShipper | undefined;
}

/** Recordings need minutes to fill `roomPerRecording`. */
const budgetEveryMs = 2_000;

/** The recordings of this node. All commands are idempotent by recording ID. */
export class RecordingsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  private readonly stopped: StoppedRecordings;
  private readonly budget: RecordingBudget;
  private readonly budgetTimer: Timer;
  private isClosing = false;

  constructor(
    private readonly parts: RecordingsParts,
    private readonly options: RecordingsOptions,
  ) {
    const { freeBytes, store: files, hls, storyboards, clock, unfinished } = parts;
    const { workDirectory, maxBytes } = options;
    const store = {
      get bytesOnDisk() {
        return files.bytesOnDisk + hls.bytesOnDisk + storyboards.bytesOnDisk;
      },
    };
    const [directories, renders] = [() => this.directories, () => this.stopped.renderDirectories];
    this.budget = new RecordingBudget({ maxBytes, workDirectory, freeBytes, store, directories, renders });
    this.stopped = new StoppedRecordings({ ...parts, unfinished, budget: this.budget, workDirectory });
    this.budgetTimer = clock.every(budgetEveryMs, () => void this.keepBudget());
  }

  /** No recording runs, and no file is in progress. */
  get isIdle(): boolean {
    return this.entries.size === 0 && this.stopped.ids.length === 0;
  }

  get load(): number {
    return this.inventory().filter(({ state }) => state !== 'processing').length;
  }

  /** The broadcast places that the running recordings take. */
  get places(): number {
    const running = [...this.entries.values()].filter(({ job }) => job?.state !== 'processing');
    return running.reduce((sum, { isComposed }) => sum + (isComposed ? 1 : copiedShare), this.stopped.rendering);
  }

  /** The used bytes of the node's disk and their limit, see `usageOf`. */
  usage(): Promise<{ used: number; limit: number }> {
    return this.budget.usage();
  }

  /** Finishes recordings of an earlier process in the background. Call it before any command. */
  recover(): Promise<void> {
    return this.stopped.recover();
  }

  /** Resolves when the SFU node sends the source's media. */
  @OnCommand(transcoderCommands.startRecording)
  start(request: StartRecordingRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    const existing = this.entries.get(request.recordingID);
    if (existing) return existing.starting;
    if (this.stopped.has(request.recordingID)) return Promise.resolve();
    requireCapacity(this.parts.drain, this.load, this.options.maxRecordings);
    const entry = newEntry(requestID, request.composition !== undefined);
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

  /** The layout follows within about two seconds. */
  @OnCommand(transcoderCommands.composeRecording)
  async compose({ recordingID, ...room }: RequestOf<typeof transcoderCommands.composeRecording>): Promise<void> {
    const job = this.entries.get(recordingID)?.job;
    if (!(job instanceof ComposedRecordingJob))
      throw new ServiceError('not_found', 'This node has no such composed recording.');
    await job.compose(room);
  }

  /** Stops the recording. The file is created after the reply. */
  @OnCommand(transcoderCommands.stopRecording)
  stop({ recordingID }: NamedRecording): Promise<void> {
    return this.stopFor(recordingID, 'requested');
  }

  /** Completes a recording of a lost node from its pieces. The file is created after the reply. */
  @OnCommand(transcoderCommands.completeRecording)
  async complete({ recordingID }: NamedRecording, { requestID }: { requestID?: string } = {}): Promise<void> {
    if (!this.entries.has(recordingID)) await this.stopped.complete(recordingID, requestID);
  }

  /** Composes a recording from files in the background. */
  @OnCommand(transcoderCommands.renderRecording)
  async render(request: RenderRecordingRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    if (!this.entries.has(request.recordingID)) await this.stopped.render(request, requestID);
  }

  /** Deletes the file and the parts. */
  @OnCommand(transcoderCommands.deleteRecording)
  async delete({ recordingID }: NamedRecording): Promise<void> {
    await this.stop({ recordingID });
    await this.stopped.delete(recordingID);
    await this.parts.unfinished?.remove(recordingID);
    await this.parts.storyboards.delete(recordingID);
    await this.parts.hls.delete(recordingID);
    await this.parts.store.delete(recordingID);
  }

  inventory(): RecordingInventory[] {
    return [
      ...[...this.entries].map(([recordingID, { job }]) => ({ recordingID, state: job?.state ?? 'starting' })),
      ...this.stopped.ids.map(recordingID => ({ recordingID, state: 'processing' as const })),
    ];
  }

  /** Process ids of the recorders, by recording. */
  recorderPids(): Map<string, number | undefined> {
    return new Map([...this.entries].map(([recordingID, { job }]) => [recordingID, job?.recorderPid]));
  }

  /** Ends all recordings before the node stops, and creates their files. */
  async leaveAll(): Promise<void> {
    const leave = (recordingID: string) => this.stopFor(recordingID, 'node_drained').catch(() => undefined);
    await Promise.all([this.stopped.leaveRenders(), ...[...this.entries.keys()].map(leave)]);
  }

  /**
   * Like `leaveAll`. The next start finishes files that are not ready in time. With a piece store this node only stores the last
   * pieces, see `StoppedRecordings.close`.
   */
  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    this.isClosing = true;
    this.budgetTimer.cancel();
    const timeout = new AbortController();
    const timer = this.parts.clock.after(this.options.closeTimeoutMs, () => timeout.abort());
    const timedOut = new Promise(resolve => timeout.signal.addEventListener('abort', resolve));
    await Promise.race([timedOut, this.leaveAll()]);
    await this.stopped.close(timeout.signal);
    timer.cancel();
    await this.parts.unfinished?.close();
  }

  private async stopFor(recordingID: string, reason: EndReason): Promise<void> {
    const entry = this.entries.get(recordingID);
    await entry?.starting.catch(() => undefined);
    // A failed start has removed the entry.
    if (!entry?.job || this.entries.get(recordingID) !== entry) return;
    await (entry.ending ??= this.end(recordingID, entry, reason));
  }

  private async open(request: StartRecordingRequest, entry: Entry): Promise<void> {
    const { workDirectory } = this.options;
    try {
      await this.budget.requireFor(this.load);
      entry.directory = await RecordingDirectory.create(workDirectory, request);
      entry.job = this.makeJob(request, entry.directory, entry.requestID);
      await entry.job.start();
      entry.shipper = this.parts.unfinished?.ship(entry.directory);
    } catch (error) {
      await this.giveUp(request.recordingID, entry);
      throw error;
    }
  }

  private makeJob(
    request: StartRecordingRequest,
    directory: RecordingDirectory,
    requestID: string | undefined,
  ): RecordingJob | ComposedRecordingJob {
    const { recordingID, composition } = request;
    const { bus, recorder, openFeed, clock } = this.parts;
    const logger = this.parts.logger.child({ recordingID, requestID });
    const logFailure = (err: unknown): void => logger.error({ err }, 'cannot stop a recording');
    const parts: RecordingJobParts = {
      bus: requesterFor(bus, requestID),
      recorder,
      directory,
      openFeed,
      clock,
      logger,
      report: fact => this.stopped.report(recordingID, fact, requestID),
      onEnd: reason => void this.stopFor(recordingID, reason).catch(logFailure),
    };
    return composition
      ? new ComposedRecordingJob({ ...request, composition }, parts)
      : new RecordingJob(request, parts);
  }

  /** Removes a recording that did not start. Only the caller of `start` receives the error. */
  private async giveUp(recordingID: string, { job, directory }: Entry): Promise<void> {
    this.entries.delete(recordingID);
    this.parts.drain.noteEnd();
    await job?.close();
    await directory?.remove();
  }

  private async end(
    recordingID: string,
    { job, directory, shipper, requestID }: Entry,
    reason: EndReason,
  ): Promise<void> {
    await job?.stop(reason);
    this.entries.delete(recordingID);
    if (directory && !(this.isClosing && shipper)) return this.stopped.finish(directory, shipper, requestID);
    await shipper?.flush();
    await shipper?.close();
  }

  /**
   * Keeps the broadcasts and the other recordings going while the disk is nearly full. Gives up the newest composition of files, or ends the
   * newest recording if there is none. Never rejects.
   */
  private async keepBudget(): Promise<void> {
    const running = this.inventory().filter(({ state }) => state !== 'processing');
    const newest = running.at(-1);
    try {
      if (!newest || (await this.budget.isEnoughFor(running.length)) || this.stopped.giveUpRender()) return;
      const { recordingID } = newest;
      this.parts.logger.error({ recordingID }, 'the disk of the recordings is nearly full, ending the newest one');
      await this.stopFor(recordingID, 'recorder_failed');
    } catch (err) {
      this.parts.logger.error({ err }, 'cannot measure the disk of the recordings');
    }
  }

  private get directories(): RecordingDirectory[] {
    const running = [...this.entries.values()].flatMap(({ directory }) => directory ?? []);
    return [...running, ...this.stopped.directories];
  }
}

function newEntry(requestID: string | undefined, isComposed: boolean): Entry {
  const undone = { directory: undefined, job: undefined, ending: undefined, shipper: undefined };
  return { ...undone, isComposed, requestID, starting: Promise.resolve() };
}

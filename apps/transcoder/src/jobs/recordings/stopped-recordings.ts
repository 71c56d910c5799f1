import { ServiceError, type RecordingFact, type RenderRecordingRequest } from '@rtms/contracts';
import type { DrainState } from '@rtms/node';
import { requireCapacity } from '../job-limits.js';
import { RenderGivenUpError, RenderQueue } from '../rendering/render-queue.js';
import { readMovieKinds } from './mp4-file.js';
import { RecordingDirectory } from './recording-directory.js';
import { ready, RecordingFinisher, type RecordingFinisherParts } from './recording-finisher.js';
import type { PieceShipper, UnfinishedRecordings } from './unfinished-recordings.js';

export interface StoppedRecordingsParts extends RecordingFinisherParts {
  drain: DrainState;
  /** Directory of unfinished recordings. It survives a restart of the node. */
  workDirectory: string;
}

/** A recording whose file is in progress. */
interface Stopped {
  requestID: string | undefined;
  /** undefined while the pieces are being fetched. */
  directory: RecordingDirectory | undefined;
  shipper: PieceShipper | undefined;
  /** Whether this node completes the recording of another node or of an earlier process. */
  isForeign: boolean;
  /** Whether the parts are being composed from files. */
  isRendering: boolean;
  /** Resolves when this node has taken the recording. */
  accepted: Promise<void>;
  /** Never rejects. */
  done: Promise<void>;
  abort: AbortController;
}

/** Others wait at the gateway, so that the recordings of a lost node are spread over the remaining nodes. */
const completionsAtOnce = 4;
/** The gateway gives up a recording after this time. */
const salvageMs = 24 * 3_600_000;

/** Creates the files of recordings that this node, an earlier process of it or a lost node has recorded. */
export class StoppedRecordings {
  private readonly entries = new Map<string, Stopped>();
  private readonly finisher: RecordingFinisher;
  private readonly renders: RenderQueue;

  constructor(private readonly parts: StoppedRecordingsParts) {
    this.finisher = new RecordingFinisher(parts);
    this.renders = new RenderQueue({ ...parts, describe: readMovieKinds });
  }

  get ids(): string[] {
    return [...this.entries.keys()];
  }

  /** Without compositions that are in progress: their bytes are reserved. */
  get directories(): RecordingDirectory[] {
    return this.directoriesOf(false);
  }

  /** Of compositions of files that are in progress. */
  get renderDirectories(): RecordingDirectory[] {
    return this.directoriesOf(true);
  }

  /** The compositions of files that FFmpeg works on. */
  get rendering(): number {
    return this.renders.running;
  }

  has(recordingID: string): boolean {
    return this.entries.has(recordingID);
  }

  /** Finishes recordings of an earlier process in the background. */
  async recover(): Promise<void> {
    const { logger, workDirectory } = this.parts;
    const left = await RecordingDirectory.openAll(workDirectory, (path, err) =>
      logger.error({ path, err }, 'cannot read the notes of a recording, keeping its files'),
    );
    for (const directory of left) {
      logger.warn({ recordingID: directory.recordingID }, 'finishing a recording of an earlier process');
      const entry = this.add(directory.recordingID, { directory, isForeign: true });
      entry.done = this.recoverOne(directory, entry);
    }
  }

  /** Creates the file in the background. */
  finish(directory: RecordingDirectory, shipper?: PieceShipper, requestID?: string): void {
    const entry = this.add(directory.recordingID, { directory, shipper, requestID });
    entry.done = this.makeFile(directory, entry);
  }

  /** Resolves when this node has taken the recording. Throws `not_found` without pieces. */
  complete(recordingID: string, requestID?: string): Promise<void> {
    const existing = this.entries.get(recordingID);
    if (existing) return existing.accepted;
    const { unfinished, drain } = this.parts;
    if (!unfinished) return Promise.reject(noPieces());
    const completions = [...this.entries.values()].filter(({ isForeign }) => isForeign).length;
    requireCapacity(drain, completions, completionsAtOnce);
    const entry = this.add(recordingID, { requestID, isForeign: true });
    return (entry.accepted = this.takeOver(recordingID, entry, unfinished));
  }

  /** Composes a recording from files. Resolves when this node has taken it. Throws `capacity_reached`. */
  render(request: RenderRecordingRequest, requestID?: string): Promise<void> {
    const existing = this.entries.get(request.recordingID);
    if (existing) return existing.accepted;
    requireCapacity(this.parts.drain, this.renders.waiting, this.renders.most);
    const entry = this.add(request.recordingID, { requestID, isRendering: true });
    return (entry.accepted = this.openRender(request, entry));
  }

  /** Ends compositions of files. They fail with `node_drained`. */
  async leaveRenders(): Promise<void> {
    const entries = [...this.entries.values()].filter(({ isRendering }) => isRendering);
    for (const { abort } of entries) abort.abort();
    await Promise.all(entries.map(({ done }) => done));
  }

  /** Frees the disk for recordings in progress. Returns false if no composition of files can be given up. */
  giveUpRender(): boolean {
    const newest = [...this.entries].findLast(([, { isRendering }]) => isRendering);
    if (!newest) return false;
    const [recordingID, { abort }] = newest;
    // It keeps its bytes until FFmpeg has ended.
    if (abort.signal.aborted) return true;
    this.parts.logger.error(
      { recordingID },
      'the disk of the recordings is nearly full, giving up the newest composition',
    );
    abort.abort(new RenderGivenUpError('recorder_failed'));
    return true;
  }

  /** Stops the work on the recording and deletes its parts. */
  async delete(recordingID: string): Promise<void> {
    const entry = this.entries.get(recordingID);
    entry?.abort.abort();
    await entry?.accepted.catch(() => undefined);
    await entry?.done;
    await entry?.directory?.remove();
  }

  /**
   * Resolves when all files are stored, or after `signal`. With a piece store this node only stores the last pieces: its lease
   * has ended, and another node completes the recordings.
   */
  async close(signal: AbortSignal): Promise<void> {
    const entries = [...this.entries.values()];
    const abortAll = () => entries.forEach(({ abort }) => abort.abort());
    const timedOut = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    void timedOut.then(abortAll);
    if (signal.aborted) abortAll();
    if (this.parts.unfinished) {
      await Promise.race([timedOut, Promise.all(entries.map(async ({ shipper }) => shipper?.flush()))]);
      abortAll();
    }
    await Promise.all(entries.map(({ done }) => done));
  }

  report(recordingID: string, fact: RecordingFact, requestID: string | undefined): void {
    this.parts.reports.report(recordingID, fact, requestID);
    this.parts.logger.info(
      { recordingID, requestID, fact: fact.type, ...('reason' in fact && { reason: fact.reason }) },
      'recording',
    );
  }

  private directoriesOf(isRendering: boolean): RecordingDirectory[] {
    const entries = [...this.entries.values()].filter(entry => entry.isRendering === isRendering);
    return entries.flatMap(({ directory }) => directory ?? []);
  }

  private add(recordingID: string, known: Partial<Stopped>): Stopped {
    const [accepted, done] = [Promise.resolve(), Promise.resolve()];
    const unknown = { requestID: undefined, directory: undefined, shipper: undefined };
    const kind = { isForeign: false, isRendering: false };
    const entry = { ...unknown, ...kind, accepted, done, abort: new AbortController(), ...known };
    this.entries.set(recordingID, entry);
    return entry;
  }

  private async remove(recordingID: string, { shipper }: Stopped): Promise<void> {
    await shipper?.close();
    this.entries.delete(recordingID);
    this.parts.drain.noteEnd();
  }

  private async recoverOne(directory: RecordingDirectory, entry: Stopped): Promise<void> {
    const { recordingID, notes } = directory;
    const { clock, logger, unfinished } = this.parts;
    const lastWrittenAt = await directory.lastWrittenAt();
    if (unfinished && clock.now() - lastWrittenAt.getTime() > salvageMs) {
      logger.warn({ recordingID }, 'deleting a recording that the gateway has given up');
      await directory.remove();
      return this.remove(recordingID, entry);
    }
    if (notes.isRendered && !notes.stopped) {
      this.report(recordingID, { type: 'recording.failed', reason: 'node_lost' }, undefined);
      return this.forgetFailed(directory, entry);
    }
    const until = notes.stopped?.until ?? lastWrittenAt.toISOString();
    const reason = notes.stopped?.reason ?? 'node_lost';
    this.report(recordingID, { type: 'recording.stopped', reason, until }, undefined);
    await this.makeFile(directory, entry);
  }

  private async openRender(request: RenderRecordingRequest, entry: Stopped): Promise<void> {
    const { recordingID } = request;
    let release: (() => void) | undefined;
    try {
      release = await this.renders.reserve(request, this.parts.budget);
      entry.directory = await RecordingDirectory.create(this.parts.workDirectory, request, { isRendered: true });
    } catch (error) {
      release?.();
      await this.remove(recordingID, entry);
      throw error;
    }
    entry.done = this.renderFrom(request, entry.directory, entry, release);
  }

  /** Never rejects. */
  private async renderFrom(
    request: RenderRecordingRequest,
    directory: RecordingDirectory,
    entry: Stopped,
    release: () => void,
  ): Promise<void> {
    const { recordingID } = request;
    const reason = await this.renders.render(request, directory, entry.abort.signal);
    entry.isRendering = false;
    // The join reserves its own space.
    release();
    if (reason === undefined) return this.makeFile(directory, entry);
    this.report(recordingID, { type: 'recording.failed', reason }, entry.requestID);
    await this.forgetFailed(directory, entry);
  }

  /** A file of parts that are incomplete would look like the whole recording. If the fact is lost, the gateway misses the recording. */
  private async forgetFailed(directory: RecordingDirectory, entry: Stopped): Promise<void> {
    const { recordingID } = directory;
    const { signal } = entry.abort;
    try {
      if (!signal.aborted) await this.finisher.forget(directory, signal);
      await directory.remove();
    } catch (err) {
      this.parts.logger.error({ err, recordingID }, 'cannot remove the parts of a composition');
    }
    await this.remove(recordingID, entry);
  }

  private async takeOver(recordingID: string, entry: Stopped, unfinished: UnfinishedRecordings): Promise<void> {
    let release: (() => void) | undefined;
    try {
      const bytes = await unfinished.size(recordingID);
      if (bytes === undefined) throw noPieces();
      release = await this.parts.budget.reserveFetch(bytes);
      await unfinished.claim(recordingID);
    } catch (error) {
      release?.();
      await this.remove(recordingID, entry);
      throw error;
    }
    entry.done = this.completeFrom(recordingID, entry, unfinished, release);
  }

  /** Never rejects. After a failure the gateway asks a node again. */
  private async completeFrom(
    recordingID: string,
    entry: Stopped,
    unfinished: UnfinishedRecordings,
    release: () => void,
  ): Promise<void> {
    const { logger, workDirectory } = this.parts;
    logger.warn({ recordingID, requestID: entry.requestID }, 'completing a recording of a lost node');
    try {
      entry.directory = await unfinished.fetch(recordingID, workDirectory, entry.abort.signal);
    } catch (err) {
      logger.error({ err, recordingID }, 'cannot fetch the pieces of a recording');
      release();
      return this.remove(recordingID, entry);
    }
    release();
    await this.makeFile(entry.directory, entry);
  }

  /** Never rejects. An aborted recording keeps its files for the next start. */
  private async makeFile(directory: RecordingDirectory, entry: Stopped): Promise<void> {
    const { recordingID, notes } = directory;
    const { signal } = entry.abort;
    try {
      const fact = notes.file ? ready(notes.file) : await this.finisher.makeFile(directory, signal);
      await entry.shipper?.close();
      if (fact) this.report(recordingID, fact, entry.requestID);
      else this.parts.logger.warn({ recordingID }, 'another node completes this recording');
      await this.finisher.forget(directory, signal);
    } catch (error) {
      if (!signal.aborted) this.parts.logger.error({ err: error, recordingID }, 'cannot finish a recording');
    }
    await this.remove(recordingID, entry);
  }
}

function noPieces(): ServiceError {
  return new ServiceError('not_found', 'This node has no access to pieces of the recording.');
}

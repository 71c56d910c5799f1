import type { Clock } from '@rtms/clock';
import type { ContinuedBroadcast, Rendition } from '@rtms/contracts';
import type { SegmentStore } from '../stores/segment-store.js';
import { MediaPace } from '../pace/media-pace.js';
import { codecsOfInit } from './playlists/codecs-of-init.js';
import { Changes } from './changes.js';
import { formatMultivariantPlaylist } from './playlists/multivariant-playlist.js';
import { LiveParts } from './live-parts.js';
import type { EncodedPart } from './playlists/parts.js';
import { deltaTargetDurations, formatMediaPlaylist } from './playlists/playlist.js';
import type { PresentationOptions } from './presentation-options.js';
import { PresentedFiles } from './presented-files.js';
import {
  describeRenditions,
  describeVariants,
  figuresOf,
  measureSet,
  refuseMissingNames,
  type RenditionFigures,
} from './rendition-figures.js';
import { RunSegments, type EncodedSegment, type PublishedRun, type SegmentSet } from './run-segments.js';
import { firstNumberOf, SegmentWindow } from './segment-window.js';

interface CurrentRun extends PublishedRun {
  tag: string;
  segments: RunSegments;
  /** By rendition. They replace the presentation's figures once the run has published. */
  figures: ReadonlyMap<string, RenditionFigures>;
  /** By rendition: the init segment's file, and the promise of its write. */
  inits: Map<string, { file: string; stored: Promise<void>; isStored: boolean }>;
}

/**
 * The published media of a broadcast. Encoder runs add segments, and the delivery reads them. A segment is listed once the store
 * holds the segments of all renditions for the same time.
 */
export class Presentation {
  readonly targetDurationSeconds: number;
  /** Players can seek back further than the window. */
  private readonly isDvr: boolean;
  private readonly window: SegmentWindow;
  private figures: ReadonlyMap<string, RenditionFigures> = new Map();
  private readonly files: PresentedFiles;
  private readonly listeners = new Set<(set: SegmentSet) => void>([() => this.pace.noteSegment()]);
  private readonly changes = new Changes();
  /** The live end of low-latency HLS; undefined without it. */
  readonly live: LiveParts | undefined;
  readonly pace: MediaPace;
  private run: CurrentRun | undefined;
  private runCount = 0;
  private hasEnded = false;
  private isElsewhere = false;
  private hasOldPlaylists = false;
  private readonly madeAt: number;
  private closing: Promise<void> | undefined;

  constructor(
    readonly broadcastID: string,
    readonly options: PresentationOptions,
    store: SegmentStore,
    private readonly clock: Clock,
    /** Another node has published the broadcast before, so players may have its playlists. */
    readonly continues?: ContinuedBroadcast,
  ) {
    this.madeAt = clock.now();
    this.files = new PresentedFiles(store, broadcastID);
    const { segmentSeconds, windowSegments, dvrSeconds = 0 } = options;
    this.targetDurationSeconds = Math.max(1, Math.round(segmentSeconds));
    this.pace = new MediaPace(clock, this.targetDurationSeconds * 1000);
    const firstNumber = firstNumberOf(continues?.ageSeconds ?? 0, segmentSeconds);
    const dvrSegments = Math.ceil(dvrSeconds / segmentSeconds);
    this.isDvr = dvrSegments > windowSegments;
    this.window = new SegmentWindow(windowSegments, this.targetDurationSeconds, firstNumber, dvrSegments);
    this.live = options.isLow ? new LiveParts(segmentSeconds, this.isDvr, this.window) : undefined;
  }

  /** Increases with each change of a playlist, so that a cache can detect an outdated copy. */
  get version(): number {
    return this.changes.count;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  get isClosed(): boolean {
    return this.closing !== undefined;
  }

  /** Another node has taken the broadcast over and serves its playlists. */
  get isHandedOver(): boolean {
    return this.isElsewhere;
  }

  /** Players have received playlists of the successor, so this node must not send its older playlists. */
  get isOvertaken(): boolean {
    return this.hasOldPlaylists;
  }

  /**
   * ms for which the presentation stays fetchable after its end, so that players can fetch the rest: one window, or as much as
   * viewers can seek back.
   */
  get retentionMs(): number {
    const { segmentSeconds, windowSegments, dvrSeconds = 0 } = this.options;
    const seconds = this.isDvr && !this.isElsewhere ? Math.min(dvrSeconds, this.window.listedSeconds) : 0;
    return Math.max(segmentSeconds * windowSegments, seconds) * 1000;
  }

  /** Bytes of segments that only viewers need who seek back. */
  get dvrBytes(): number {
    return this.window.dvrBytes;
  }

  /** Internal URL of the former node; undefined after two windows, when the former node has deleted its files. */
  get formerUrl(): string | undefined {
    const { segmentSeconds, windowSegments } = this.options;
    const isOver = this.clock.now() - this.madeAt > 2 * windowSegments * segmentSeconds * 1000;
    return isOver ? undefined : this.continues?.formerUrl;
  }

  /**
   * Starts an encoder run. Every run after the first starts with a discontinuity. A run must have all rendition names of earlier
   * runs, because a player reads the multivariant playlist only once. Sizes may change, and renditions may be added.
   */
  beginRun(run: PublishedRun): void {
    refuseMissingNames(this.figures, run);
    this.discardUnlisted();
    this.window.breakTimeline();
    const segments = new RunSegments(run.renditions.map(({ name }) => name));
    const tag = `${this.runCount++}${run.startsAt.getTime().toString(36)}`;
    const figures = new Map(run.renditions.map(r => [r.name, figuresOf(r, this.figures.get(r.name))]));
    this.run = { ...run, tag, segments, figures, inits: new Map() };
    this.live?.begin(this.run);
    if (this.live) this.changes.add();
  }

  /** Adds the init segment of a rendition. Call it before the rendition's first segment. */
  async addInit(renditionName: string, bytes: Buffer): Promise<void> {
    if (this.hasEnded) return;
    const run = this.currentRun(renditionName);
    const file = `init-${run.tag}.mp4`;
    const figures = run.figures.get(renditionName);
    if (figures) figures.codecs = codecsOfInit(bytes);
    const stored = this.files.write(`${renditionName}/${file}`, bytes);
    const init = { file, stored, isStored: false };
    run.inits.set(renditionName, init);
    await stored;
    init.isStored = true;
    if (this.live && run === this.run) this.changes.add();
  }

  /** Adds a part of the segment that the encoder writes now. Call it after `addInit`, before `addSegment` with the whole segment. */
  addPart(renditionName: string, part: EncodedPart): void {
    if (this.hasEnded || !this.live) return;
    this.currentRun(renditionName);
    if (this.live.add(renditionName, part)) this.changes.add();
    // A player may wait for the part itself.
    else this.changes.notify();
  }

  /**
   * Resolves once the segment is stored, and listed if the other renditions have theirs. Throws if the store fails or the
   * rendition is a whole window ahead of another; the caller must then replace the run.
   */
  async addSegment(renditionName: string, segment: EncodedSegment): Promise<void> {
    if (this.hasEnded) return;
    const run = this.currentRun(renditionName);
    const init = run.inits.get(renditionName);
    if (!init) throw new Error(`rendition ${renditionName} has no init segment in this run`);
    const index = run.segments.takeIndex(renditionName, this.options.windowSegments);
    // The other parts of a segment that all renditions have are listed too.
    if (this.live) this.changes.add();
    const file = `${run.tag}-${index}.m4s`;
    await Promise.all([init.stored, this.files.write(`${renditionName}/${file}`, segment.bytes)]);
    if (run !== this.run || this.ended) return this.files.discard(`${renditionName}/${file}`);
    const { durationSeconds, programDateTime, bytes } = segment;
    const stored = { file, mapFile: init.file, byteLength: bytes.byteLength, durationSeconds, programDateTime };
    await this.publish(run, run.segments.add(renditionName, index, stored));
  }

  /** Whether every rendition has a listed segment. */
  allHaveSegment(): boolean {
    return !this.window.isEmpty;
  }

  /** Returns the renditions for the API. Complete once `allHaveSegment()`. */
  renditions(): Rendition[] {
    return describeRenditions([...this.figures.values()]);
  }

  /**
   * Returns undefined for an unknown rendition, or before its first segment. `isDelta`: without older segments that the player
   * knows, if viewers can seek back.
   */
  mediaPlaylist(renditionName: string, isDelta = false): string | undefined {
    const listing = this.window.listingOf(renditionName);
    if (!listing) return undefined;
    const { targetDurationSeconds } = this;
    const ended = this.hasEnded && !this.isElsewhere;
    const skipping = (this.isDvr || this.live) && { canSkipUntilSeconds: deltaTargetDurations * targetDurationSeconds };
    const low = this.live && { low: this.live.lowLatencyOf(renditionName, this.figures.keys()) };
    return formatMediaPlaylist({ targetDurationSeconds, ...listing, ended, ...skipping, ...low }, isDelta);
  }

  /** Shortens the time that viewers can seek back by the oldest segments, for want of disk. Returns the bytes of `dvrBytes` less. */
  async giveUpOldest(): Promise<number> {
    const before = this.dvrBytes;
    const gone = this.window.giveUpOldest();
    const fewer = before - this.dvrBytes;
    if (fewer > 0) this.changes.add();
    await Promise.all(gone.map(set => this.deleteSet(set)));
    return fewer;
  }

  /** `prefix` precedes each URI, e.g. `<window>/<expiresAt>/<kid>/<signature>/`. */
  multivariantPlaylist(prefix = ''): string | undefined {
    if (!this.allHaveSegment()) return undefined;
    return formatMultivariantPlaylist(describeVariants([...this.figures.values()], prefix));
  }

  /** Returns undefined for an unknown rendition. */
  kindOf(renditionName: string): 'audio' | 'video' | undefined {
    return this.figures.get(renditionName)?.rendition.kind;
  }

  /** Returns an init or media segment; `name` is `<rendition>/<file>`. */
  segment(name: string): Promise<Buffer | undefined> {
    const part = this.live?.bytes(name);
    return part ? Promise.resolve(part) : this.files.get(name);
  }

  /** Like `segment`, but only of a file in memory. */
  segmentInMemory(name: string): Buffer | undefined {
    return this.live?.bytes(name) ?? this.files.getFromMemory(name);
  }

  /** Returns the last listed segment of a rendition, after its init segment. */
  async lastSegment(renditionName: string): Promise<Buffer | undefined> {
    const last = this.window.listingOf(renditionName)?.segments.at(-1);
    if (!last) return undefined;
    const files = [last.mapUri, last.uri].map(file => this.segment(`${renditionName}/${file}`));
    const [init, media] = await Promise.all(files);
    return init && media && Buffer.concat([init, media]);
  }

  /** The last listed segments. */
  get newest(): SegmentSet | undefined {
    return this.window.fetchable.at(-1)?.segments;
  }

  /** Calls the listener with the segments that are listed from now on. Returns a function that ends the calls. */
  onListed(listener: (set: SegmentSet) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Calls the listener after each change of a playlist, and when a part exists. Returns a function that ends the calls. */
  onChanged(listener: () => void): () => void {
    return this.changes.listen(listener);
  }

  /** Ends the presentation. Listed segments remain until `close()`. */
  end(): void {
    if (this.hasEnded) return;
    this.discardUnlisted();
    this.live?.end();
    this.hasEnded = true;
    this.changes.add();
  }

  /** Like `end`, but playlists get no end tag, because the broadcast continues on another node. */
  handOver(): void {
    if (this.hasEnded) return;
    this.isElsewhere = true;
    this.end();
  }

  /** Call it when a player has received a playlist of the successor. */
  beOvertaken(): void {
    this.hasOldPlaylists = true;
  }

  /** Ends the presentation and deletes its files. */
  close(): Promise<void> {
    this.end();
    this.closing ??= this.files.deleteAll();
    return this.closing;
  }

  private currentRun(renditionName: string): CurrentRun {
    if (!this.run?.renditions.some(({ name }) => name === renditionName)) {
      throw new Error(`rendition ${renditionName} is not part of the current run`);
    }
    return this.run;
  }

  private async publish(run: CurrentRun, sets: readonly SegmentSet[]): Promise<void> {
    if (sets.length > 0) this.figures = run.figures;
    const gone = sets.flatMap(set => this.window.push(set));
    for (const set of sets) measureSet(this.figures, set);
    if (sets.length > 0) this.changes.add();
    for (const set of sets) if (!gone.includes(set)) for (const listener of this.listeners) listener(set);
    await Promise.all(gone.map(set => this.deleteSet(set)));
  }

  private async deleteSet(set: SegmentSet): Promise<void> {
    const files = [...set].flatMap(([name, { file, mapFile }]) =>
      this.isNeeded(name, mapFile) ? [`${name}/${file}`] : [`${name}/${file}`, `${name}/${mapFile}`],
    );
    await this.files.delete(files);
  }

  /** Whether a segment that uses the init segment is fetchable or may be added. */
  private isNeeded(renditionName: string, mapFile: string): boolean {
    return this.run?.inits.get(renditionName)?.file === mapFile || this.isFetchable(renditionName, mapFile);
  }

  private isFetchable(renditionName: string, mapFile: string): boolean {
    return this.window.fetchable.some(({ segments }) => segments.get(renditionName)?.mapFile === mapFile);
  }

  /** Deletes segments of the ended run that some rendition lacks, because they can never be listed. */
  private discardUnlisted(): void {
    if (!this.run) return;
    this.listCut(this.run);
    for (const { renditionName, file } of this.run.segments.leftOver()) this.files.discard(`${renditionName}/${file}`);
    for (const [renditionName, { file }] of this.run.inits) {
      if (!this.isFetchable(renditionName, file)) this.files.discard(`${renditionName}/${file}`);
    }
  }

  /** Lists a shorter segment for parts that playlists have, because its run has ended. Does not wait for the store. */
  private listCut(run: CurrentRun): void {
    const cut = this.live?.cut();
    if (!cut) return;
    for (const [name, bytes] of cut.files) this.files.writeListed(name, bytes);
    void this.publish(run, [cut.set]).catch(() => undefined);
  }
}

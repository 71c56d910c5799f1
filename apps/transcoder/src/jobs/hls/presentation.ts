import type { Clock } from '@rtms/clock';
import type { ContinuedBroadcast, Rendition } from '@rtms/contracts';
import type { SegmentStore } from '../../delivery/segment-store.js';
import { codecsOfInit } from './codecs-of-init.js';
import { formatMultivariantPlaylist } from './multivariant-playlist.js';
import { formatMediaPlaylist } from './playlist.js';
import { describeRenditions, describeVariants, figuresOf, type RenditionFigures } from './rendition-figures.js';
import { RunSegments, type EncodedSegment, type EncoderRun, type SegmentSet } from './run.js';
import { firstNumberOf, SegmentWindow } from './segment-window.js';

export type { EncodedSegment, EncoderRun, RunRendition } from './run.js';

export interface PresentationOptions {
  segmentSeconds: number;
  /** How many segments a playlist lists; at least 6 for live players to be at ease. */
  windowSegments: number;
}

interface CurrentRun extends EncoderRun {
  tag: string;
  segments: RunSegments;
  /** By rendition; the presentation's own once the run has published. */
  figures: ReadonlyMap<string, RenditionFigures>;
  /** By rendition: the init segment's file, and when it is on the store. */
  inits: Map<string, { file: string; stored: Promise<void> }>;
}

/**
 * What a broadcast has published: fed with the segments of one encoder run after the other, read by the delivery.
 * A segment is listed once all renditions have theirs of the same stretch and the store holds them.
 */
export class Presentation {
  readonly targetDurationSeconds: number;
  private readonly window: SegmentWindow;
  private figures: ReadonlyMap<string, RenditionFigures> = new Map();
  private readonly writes = new Set<Promise<void>>();
  private run: CurrentRun | undefined;
  private runCount = 0;
  private changes = 0;
  private hasEnded = false;
  private isElsewhere = false;
  private hasOldPlaylists = false;
  private readonly madeAt: number;
  private closing: Promise<void> | undefined;

  constructor(
    readonly broadcastID: string,
    readonly options: PresentationOptions,
    private readonly store: SegmentStore,
    private readonly clock: Clock,
    private readonly continues?: ContinuedBroadcast,
  ) {
    this.madeAt = clock.now();
    const { segmentSeconds, windowSegments } = options;
    this.targetDurationSeconds = Math.max(1, Math.round(segmentSeconds));
    const firstNumber = firstNumberOf(continues?.ageSeconds ?? 0, segmentSeconds);
    this.window = new SegmentWindow(windowSegments, this.targetDurationSeconds, firstNumber);
  }

  /** Grows with each change of any playlist; a reader that remembers it knows whether its copy is old. */
  get version(): number {
    return this.changes;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  /** Another node goes on with the broadcast and has the playlists from now on. */
  get isHandedOver(): boolean {
    return this.isElsewhere;
  }

  /** Players have seen playlists of the node that goes on with it: those of this one would be a step back. */
  get isOvertaken(): boolean {
    return this.hasOldPlaylists;
  }

  /** Internal address of the node that had the broadcast before, for as long as there can be something there. */
  get formerUrl(): string | undefined {
    const { segmentSeconds, windowSegments } = this.options;
    const isOver = this.clock.now() - this.madeAt > 2 * windowSegments * segmentSeconds * 1000;
    return isOver ? undefined : this.continues?.formerUrl;
  }

  /**
   * The encoder starts (again). Every run but the first begins with a discontinuity. A run has at least the renditions
   * that were published before, by name: a player never looks at the multivariant playlist a second time. Sizes may
   * change, and further renditions come in with the run's first segments.
   */
  beginRun(run: EncoderRun): void {
    this.refuseMissingNames(run);
    this.discardUnlisted();
    this.window.breakTimeline();
    const segments = new RunSegments(run.renditions.map(({ name }) => name));
    const tag = `${this.runCount++}${run.startsAt.getTime().toString(36)}`;
    const figures = new Map(run.renditions.map(r => [r.name, figuresOf(r, this.figures.get(r.name))]));
    this.run = { ...run, tag, segments, figures, inits: new Map() };
  }

  /** The run's init segment of one rendition; must come before the rendition's first segment. */
  async addInit(renditionName: string, bytes: Buffer): Promise<void> {
    if (this.hasEnded) return;
    const run = this.currentRun(renditionName);
    const file = `init-${run.tag}.mp4`;
    const figures = run.figures.get(renditionName);
    if (figures) figures.codecs = codecsOfInit(bytes);
    const stored = this.write(`${renditionName}/${file}`, bytes);
    run.inits.set(renditionName, { file, stored });
    await stored;
  }

  /**
   * Resolves once the segment is on the store, and listed if the other renditions have theirs of this stretch.
   * Throws when the store fails or the rendition runs a whole window ahead of another: the run must then be replaced.
   */
  async addSegment(renditionName: string, segment: EncodedSegment): Promise<void> {
    if (this.hasEnded) return;
    const run = this.currentRun(renditionName);
    const init = run.inits.get(renditionName);
    if (!init) throw new Error(`rendition ${renditionName} has no init segment in this run`);
    const index = run.segments.takeIndex(renditionName, this.options.windowSegments);
    const file = `${run.tag}-${index}.m4s`;
    await Promise.all([init.stored, this.write(`${renditionName}/${file}`, segment.bytes)]);
    if (run !== this.run || this.ended) return this.discard(renditionName, file);
    const { durationSeconds, programDateTime, bytes } = segment;
    const stored = { file, mapFile: init.file, byteLength: bytes.byteLength, durationSeconds, programDateTime };
    await this.publish(run, run.segments.add(renditionName, index, stored));
  }

  /** Whether every rendition has a segment that can be fetched. */
  allHaveSegment(): boolean {
    return !this.window.isEmpty;
  }

  /** What the broadcast offers, as the API shows it; whole once `allHaveSegment()`. */
  renditions(): Rendition[] {
    return describeRenditions([...this.figures.values()]);
  }

  /** undefined: there is no such rendition, or nothing to list yet. */
  mediaPlaylist(renditionName: string): string | undefined {
    const listing = this.window.listingOf(renditionName);
    if (!listing) return undefined;
    const { targetDurationSeconds } = this;
    const ended = this.hasEnded && !this.isElsewhere;
    return formatMediaPlaylist({ targetDurationSeconds, ...listing, ended });
  }

  /** `prefix` goes before each address, e.g. `<window>/<expiresAt>/<kid>/<signature>/`. */
  multivariantPlaylist(prefix = ''): string | undefined {
    if (!this.allHaveSegment()) return undefined;
    return formatMultivariantPlaylist(describeVariants([...this.figures.values()], prefix));
  }

  /** undefined: there is no such rendition. */
  kindOf(renditionName: string): 'audio' | 'video' | undefined {
    return this.figures.get(renditionName)?.rendition.kind;
  }

  /** An init or media segment; `name` is `<rendition>/<file>`. */
  segment(name: string): Promise<Buffer | undefined> {
    return this.store.get(this.broadcastID, name);
  }

  /** Nothing is added from now on; what is listed stays until `close()`. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.changes += 1;
    this.discardUnlisted();
  }

  /** As `end`, but the broadcast goes on: no playlist of this node says that it is over. */
  handOver(): void {
    if (this.hasEnded) return;
    this.isElsewhere = true;
    this.end();
  }

  /** A playlist of the node that goes on with it was given to a player. */
  beOvertaken(): void {
    this.hasOldPlaylists = true;
  }

  /** Ends it and deletes all its files. */
  close(): Promise<void> {
    this.end();
    this.closing ??= this.deleteAll();
    return this.closing;
  }

  /** What is on its way to the store would otherwise stay there. */
  private async deleteAll(): Promise<void> {
    await Promise.allSettled(this.writes);
    await this.store.deleteAll(this.broadcastID);
  }

  private write(name: string, bytes: Buffer): Promise<void> {
    const written = this.store.put(this.broadcastID, name, bytes).finally(() => this.writes.delete(written));
    this.writes.add(written);
    return written;
  }

  private currentRun(renditionName: string): CurrentRun {
    if (!this.run?.renditions.some(({ name }) => name === renditionName)) {
      throw new Error(`rendition ${renditionName} is not part of the current run`);
    }
    return this.run;
  }

  private refuseMissingNames(run: EncoderRun): void {
    const missing = [...this.figures.keys()].filter(known => !run.renditions.some(({ name }) => name === known));
    if (missing.length > 0) throw new Error(`a later run must have the rendition ${missing.join(', ')} as well`);
  }

  private async publish(run: CurrentRun, sets: readonly SegmentSet[]): Promise<void> {
    if (sets.length > 0) this.figures = run.figures;
    const gone = sets.flatMap(set => this.window.push(set));
    for (const set of sets) this.measure(set);
    if (sets.length > 0) this.changes += 1;
    await Promise.all(gone.map(set => this.deleteSet(set)));
  }

  private measure(set: SegmentSet): void {
    for (const [name, { byteLength, durationSeconds }] of set) {
      this.figures.get(name)?.meter.add(byteLength, durationSeconds);
    }
  }

  private async deleteSet(set: SegmentSet): Promise<void> {
    const files = [...set].flatMap(([name, { file, mapFile }]) =>
      this.isNeeded(name, mapFile) ? [`${name}/${file}`] : [`${name}/${file}`, `${name}/${mapFile}`],
    );
    await Promise.all(files.map(file => this.store.delete(this.broadcastID, file)));
  }

  /** An init segment stays for as long as a segment that is decoded with it may be fetched, or be added. */
  private isNeeded(renditionName: string, mapFile: string): boolean {
    return this.run?.inits.get(renditionName)?.file === mapFile || this.isFetchable(renditionName, mapFile);
  }

  private isFetchable(renditionName: string, mapFile: string): boolean {
    return this.window.fetchable.some(({ segments }) => segments.get(renditionName)?.mapFile === mapFile);
  }

  /** Segments of a run that stopped before all renditions had theirs can be listed nowhere. */
  private discardUnlisted(): void {
    if (!this.run) return;
    for (const { renditionName, file } of this.run.segments.leftOver()) this.discard(renditionName, file);
    for (const [renditionName, { file }] of this.run.inits) {
      if (!this.isFetchable(renditionName, file)) this.discard(renditionName, file);
    }
  }

  /** Not waited for: nobody can have heard of the file, and `close()` deletes what a failing store kept. */
  private discard(renditionName: string, file: string): void {
    this.store.delete(this.broadcastID, `${renditionName}/${file}`).catch(() => undefined);
  }
}

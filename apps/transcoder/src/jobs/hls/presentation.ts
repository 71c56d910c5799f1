import type { Rendition } from '@rtms/contracts';
import type { SegmentStore } from '../../delivery/segment-store.js';
import { BitrateMeter } from './bitrate-meter.js';
import { codecsOfInit } from './codecs-of-init.js';
import { formatMultivariantPlaylist } from './multivariant-playlist.js';
import { formatMediaPlaylist } from './playlist.js';
import { describeRenditions, describeVariants, type RenditionFigures } from './rendition-figures.js';
import { RunSegments, type EncodedSegment, type EncoderRun, type RunRendition, type SegmentSet } from './run.js';
import { SegmentWindow } from './segment-window.js';

export type { EncodedSegment, EncoderRun, RunRendition } from './run.js';

export interface PresentationOptions {
  segmentSeconds: number;
  /** How many segments a playlist lists; at least 6 for live players to be at ease. */
  windowSegments: number;
}

interface CurrentRun extends EncoderRun {
  tag: string;
  segments: RunSegments;
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
  private readonly figures = new Map<string, RenditionFigures>();
  private run: CurrentRun | undefined;
  private runCount = 0;
  private changes = 0;
  private hasEnded = false;
  private closing: Promise<void> | undefined;

  constructor(
    readonly broadcastID: string,
    readonly options: PresentationOptions,
    private readonly store: SegmentStore,
  ) {
    this.targetDurationSeconds = Math.max(1, Math.round(options.segmentSeconds));
    this.window = new SegmentWindow(options.windowSegments, this.targetDurationSeconds);
  }

  /** Grows with each change of any playlist; a reader that remembers it knows whether its copy is old. */
  get version(): number {
    return this.changes;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  /**
   * The encoder starts (again). Every run but the first begins with a discontinuity. All runs have the renditions
   * of the first, by name: a player never looks at the multivariant playlist a second time. Sizes may change.
   */
  beginRun(run: EncoderRun): void {
    this.refuseOtherNames(run);
    this.discardUnlisted();
    this.window.breakTimeline();
    const segments = new RunSegments(run.renditions.map(({ name }) => name));
    this.run = { ...run, tag: `${this.runCount++}${run.startsAt.getTime().toString(36)}`, segments, inits: new Map() };
    for (const rendition of run.renditions) this.describe(rendition);
  }

  /** The run's init segment of one rendition; must come before the rendition's first segment. */
  async addInit(renditionName: string, bytes: Buffer): Promise<void> {
    const run = this.currentRun(renditionName);
    const file = `init-${run.tag}.mp4`;
    this.setCodecs(renditionName, codecsOfInit(bytes));
    const stored = this.store.put(this.broadcastID, `${renditionName}/${file}`, bytes);
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
    await Promise.all([init.stored, this.store.put(this.broadcastID, `${renditionName}/${file}`, segment.bytes)]);
    if (run !== this.run || this.ended) return this.discard(renditionName, file);
    const { durationSeconds, programDateTime, bytes } = segment;
    const stored = { file, mapFile: init.file, byteLength: bytes.byteLength, durationSeconds, programDateTime };
    await this.publish(run.segments.add(renditionName, index, stored));
  }

  /** Whether every rendition has a segment that can be fetched. */
  allHaveSegment(): boolean {
    return this.window.sets.length > 0;
  }

  /** What the broadcast offers, as the API shows it; whole once `allHaveSegment()`. */
  renditions(): Rendition[] {
    return describeRenditions([...this.figures.values()]);
  }

  /** undefined: there is no such rendition, or nothing to list yet. */
  mediaPlaylist(renditionName: string): string | undefined {
    if (!this.figures.has(renditionName) || !this.allHaveSegment()) return undefined;
    return formatMediaPlaylist({
      targetDurationSeconds: this.targetDurationSeconds,
      mediaSequence: this.window.mediaSequence,
      discontinuitySequence: this.window.discontinuitySequence,
      segments: this.window.sets.flatMap(({ segments, discontinuity }) => {
        const segment = segments.get(renditionName);
        return segment ? [{ ...segment, uri: segment.file, mapUri: segment.mapFile, discontinuity }] : [];
      }),
      ended: this.hasEnded,
    });
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

  /** Ends it and deletes all its files. */
  close(): Promise<void> {
    this.end();
    this.closing ??= this.store.deleteAll(this.broadcastID);
    return this.closing;
  }

  private currentRun(renditionName: string): CurrentRun {
    if (!this.run?.renditions.some(({ name }) => name === renditionName)) {
      throw new Error(`rendition ${renditionName} is not part of the current run`);
    }
    return this.run;
  }

  private refuseOtherNames(run: EncoderRun): void {
    const names = run.renditions.map(({ name }) => name);
    const known = this.runCount === 0 ? names : [...this.figures.keys()];
    if (names.length !== known.length || !known.every(name => names.includes(name))) {
      throw new Error(`a later run must have the renditions ${known.join(', ')}, not ${names.join(', ')}`);
    }
  }

  private describe(rendition: RunRendition): void {
    const known = this.figures.get(rendition.name);
    this.figures.set(rendition.name, {
      rendition,
      codecs: known?.codecs ?? '',
      meter: known?.meter ?? new BitrateMeter(),
    });
  }

  private setCodecs(renditionName: string, codecs: string): void {
    const figures = this.figures.get(renditionName);
    if (figures) figures.codecs = codecs;
  }

  private async publish(sets: readonly SegmentSet[]): Promise<void> {
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

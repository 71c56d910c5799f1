import {
  baseOf,
  cutFileOf,
  listedTargetDurations,
  PartWindow,
  partSecondsOf,
  partTargetOf,
  partUri,
  isReached,
  type Awaited as AwaitedPlaylist,
  type EncodedPart,
  type LiveEdge,
} from './playlists/parts.js';
import type { LowLatency } from './playlists/playlist.js';
import type { RunSegments, SegmentSet, StoredSegment } from './run-segments.js';
import type { SegmentWindow } from './segment-window.js';

/** An encoder run, as its parts need it. */
export interface PartedRun {
  tag: string;
  renditions: readonly { name: string }[];
  segments: RunSegments;
  inits: ReadonlyMap<string, { file: string; isStored: boolean }>;
}

/** A segment of what was listed of it, because its run ended before it was whole. */
export interface CutSegment {
  set: SegmentSet;
  /** By name, `<rendition>/<file>`. */
  files: ReadonlyMap<string, Buffer>;
}

/**
 * The live end of low-latency playlists: parts of the segment that the encoder writes now. A part is listed once all renditions have
 * it, as segments are, so that all playlists end at the same media time.
 */
export class LiveParts {
  readonly partTargetSeconds: number;
  private readonly parts: PartWindow;
  /** The run that adds parts; undefined before the first run, and after the end. */
  private run: PartedRun | undefined;

  constructor(
    private readonly segmentSeconds: number,
    private readonly isDvr: boolean,
    private readonly window: SegmentWindow,
  ) {
    this.partTargetSeconds = partTargetOf(segmentSeconds);
    this.parts = new PartWindow(base => window.recentFiles(listedTargetDurations).some(file => baseOf(file) === base));
  }

  begin(run: PartedRun): void {
    this.run = run;
  }

  /** No part follows. */
  end(): void {
    this.run = undefined;
  }

  /** Returns whether playlists change. */
  add(renditionName: string, part: EncodedPart): boolean {
    const { run } = this;
    if (!run) return false;
    const before = this.listedCount(run);
    this.parts.add(`${run.tag}-${run.segments.openIndex(renditionName)}`, renditionName, part);
    return this.listedCount(run) !== before;
  }

  bytes(name: string): Buffer | undefined {
    return this.parts.bytes(name);
  }

  /** Whether the playlist answers a player that waits for a later one. Throws BAD_REQUEST if it is too far ahead. */
  hasReached(renditionName: string, awaited: AwaitedPlaylist): boolean {
    const edge = this.edgeOf(renditionName);
    return !this.run || !edge || isReached(awaited, edge, this.partTargetSeconds);
  }

  /** Whether a playlist hints at the part `<rendition>/<file>`, so that a player may request it before it exists. */
  isHinted(name: string): boolean {
    const { run } = this;
    const [renditionName = '', file] = name.split('/');
    return run?.inits.has(renditionName) === true && this.hintOf(run, renditionName) === file;
  }

  private edgeOf(renditionName: string): LiveEdge | undefined {
    const { run } = this;
    const last = this.window.lastOf(renditionName);
    if (!last) return undefined;
    return {
      msn: last.msn,
      parts: this.parts.partsOf(baseOf(last.uri), renditionName).length,
      openParts: run ? this.openParts(run, renditionName).length : 0,
    };
  }

  /** `names`: of all renditions. */
  lowLatencyOf(renditionName: string, names: Iterable<string>): LowLatency {
    const { partTargetSeconds, isDvr, run } = this;
    const open = run?.inits.has(renditionName) ? this.openOf(run, renditionName) : undefined;
    const reports = [...names].flatMap(name => {
      const edge = name === renditionName ? undefined : this.edgeOf(name);
      if (!edge) return [];
      const isOpen = edge.openParts > 0;
      const part = (isOpen ? edge.openParts : edge.parts) - 1;
      return [{ uri: `../${name}/index.m3u8`, msn: isOpen ? edge.msn + 1 : edge.msn, part }];
    });
    const partsOf = ({ uri }: { uri: string }) => this.parts.listed(baseOf(uri), renditionName);
    return { partTargetSeconds, isDvr, partsOf, open, reports };
  }

  /** The listed parts of the open segment as a segment for each rendition, if all have some. Listed parts must not disappear. */
  cut(): CutSegment | undefined {
    const { run } = this;
    if (!run) return undefined;
    const count = this.listedCount(run);
    if (count === 0) return undefined;
    const base = this.openBase(run);
    this.parts.truncate(base, count);
    const set = new Map<string, StoredSegment>();
    const files = new Map<string, Buffer>();
    for (const { name } of run.renditions) {
      const parts = this.parts.partsOf(base, name);
      const mapFile = run.inits.get(name)?.file;
      if (!parts[0] || mapFile === undefined) return undefined;
      const bytes = Buffer.concat(parts.map(part => part.bytes));
      const durationSeconds = secondsOf(parts);
      const { programDateTime } = parts[0];
      const stored = { file: cutFileOf(base), mapFile, byteLength: bytes.length, durationSeconds, programDateTime };
      set.set(name, stored);
      files.set(`${name}/${stored.file}`, bytes);
    }
    return { set, files };
  }

  private openOf(run: PartedRun, renditionName: string): LowLatency['open'] {
    const parts = this.openParts(run, renditionName);
    const base = this.openBase(run);
    const segment = {
      uri: base,
      durationSeconds: secondsOf(parts),
      programDateTime: parts[0]?.programDateTime ?? new Date(0),
      mapUri: run.inits.get(renditionName)?.file ?? '',
      discontinuity: this.window.isBroken,
    };
    const listed = this.parts.listed(base, renditionName, parts.length);
    return { segment, parts: listed, hint: this.hintOf(run, renditionName) };
  }

  /** The part after the listed ones: of the next segment, if this one has its length. */
  private hintOf(run: PartedRun, renditionName: string): string {
    const parts = this.openParts(run, renditionName);
    const isFull = secondsOf(parts) > this.segmentSeconds - partSecondsOf(this.segmentSeconds) / 4;
    return isFull ? partUri(this.openBase(run, 1), 0) : partUri(this.openBase(run), parts.length);
  }

  private openBase(run: PartedRun, ahead = 0): string {
    return `${run.tag}-${run.segments.nextIndex + ahead}`;
  }

  private openParts(run: PartedRun, renditionName: string): readonly EncodedPart[] {
    return this.parts.partsOf(this.openBase(run), renditionName).slice(0, this.listedCount(run));
  }

  /** Infinity: all renditions have the whole segment, which is being stored. */
  private listedCount(run: PartedRun): number {
    const index = run.segments.nextIndex;
    const base = this.openBase(run);
    const counts = run.renditions.map(({ name }) => {
      if (!run.inits.get(name)?.isStored) return 0;
      return run.segments.openIndex(name) > index ? Infinity : this.parts.partsOf(base, name).length;
    });
    return Math.min(...counts);
  }
}

function secondsOf(parts: readonly EncodedPart[]): number {
  return parts.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

import type { PictureSize } from '@rtms/bitstream';
import {
  mostComposedSources,
  type ComposedSource,
  type MediaKind,
  type RecordedSource,
  type RenderRecordingRequest,
} from '@rtms/contracts';
import { sourceKey } from '../../composition/arrange.js';
import { gridMs } from '../../composition/composed-run.js';
import { layoutOf, type LayoutInput } from '../../composition/layout.js';
import type { FilePiece } from '../../encoder/graph/composed-graph.js';
import type { RenderTask } from '../../encoder/recorder.js';

/** A recording's file on the disk of this node. */
export interface SourceFile {
  recordingID: string;
  path: string;
  kinds: readonly MediaKind[];
  /** Absent without video. */
  size?: PictureSize;
}

/** One layout, from one change of the sources to the next. */
export interface RenderedRun extends Omit<RenderTask, 'path'> {
  /** ms since 1970. */
  beginMs: number;
}

/** A source that is away for less keeps its tile, so that a short loss does not rearrange the picture. */
const keptMs = 5_000;

/** A span of a file. Times are ms since 1970. */
interface Clip {
  source: RecordedSource;
  file: SourceFile;
  beginMs: number;
  endMs: number;
  /** The time in the file at which the span begins, seconds. */
  fileSeconds: number;
}

/**
 * Plans the runs of FFmpeg that compose the files: each source is where it was at that time. Runs follow each other without a gap, and begin
 * and end at multiples of `gridMs`, so that their parts can be joined.
 */
export function planRender(request: RenderRecordingRequest, files: readonly SourceFile[]): RenderedRun[] {
  const clips = request.sources.flatMap(source => clipsOf(source, files)).sort((a, b) => a.beginMs - b.beginMs);
  const edges = clips.flatMap(({ beginMs, endMs }) => [
    Math.floor(beginMs / gridMs) * gridMs,
    Math.ceil(endMs / gridMs) * gridMs,
  ]);
  const times = [...new Set(edges)].sort((a, b) => a - b);
  const bySource = groupBySource(clips);
  return times.slice(0, -1).map((beginMs, i) => planRun(request, bySource, beginMs, times[i + 1] ?? beginMs));
}

/** The sources are in the order in which they joined. */
function groupBySource(clips: readonly Clip[]): Map<string, Clip[]> {
  const bySource = new Map<string, Clip[]>();
  for (const clip of clips) {
    const own = bySource.get(clip.source.sourceID);
    if (own) own.push(clip);
    else bySource.set(clip.source.sourceID, [clip]);
  }
  return bySource;
}

function clipsOf(source: RecordedSource, files: readonly SourceFile[]): Clip[] {
  const file = files.find(({ recordingID }) => recordingID === source.recordingID);
  if (!file) return [];
  let fileSeconds = 0;
  return source.spans.map(({ startedAt, seconds }) => {
    const beginMs = Date.parse(startedAt);
    const clip = { source, file, beginMs, endMs: beginMs + seconds * 1000, fileSeconds };
    fileSeconds += seconds;
    return clip;
  });
}

/** A source with the media that it has in a run. The newest clip counts: the clocks of two nodes may differ. */
interface PresentSource extends Omit<LayoutInput, 'buffered'> {
  buffered: undefined;
  clips: Clip[];
}

function planRun(
  request: RenderRecordingRequest,
  bySource: ReadonlyMap<string, readonly Clip[]>,
  beginMs: number,
  endMs: number,
): RenderedRun {
  const { composition: style, mainSourceID, tracks, maxSource } = request;
  const seconds = (endMs - beginMs) / 1000;
  const inputs = new Map<string, PresentSource>();
  for (const own of bySource.values()) {
    const input = presentSource(own, { beginMs, endMs }, tracks);
    if (input) inputs.set(input.key, input);
  }
  const sources = withMainAmongShown(
    [...inputs.values()].map(({ source }) => source),
    mainSourceID,
  );
  const room = { sources, ...(mainSourceID !== undefined && { speakerID: mainSourceID }) };
  const { scene, shown, media } = layoutOf(style, room, inputs);
  const pieceOf = (clip: Clip): FilePiece => {
    const origin = clip.fileSeconds + (beginMs - clip.beginMs) / 1000;
    const length = (clip.endMs - clip.beginMs) / 1000;
    const end = Math.min(clip.fileSeconds + length, origin + seconds);
    return { path: clip.file.path, begin: clip.fileSeconds, end, origin };
  };
  const pictures = shown.flatMap(({ clips: own }) => own.slice(-1)).map(pieceOf);
  const audible = media.slice(shown.length).flatMap(({ key }) => inputs.get(key)?.clips ?? []);
  const sounds = audible.filter(({ file }) => file.kinds.includes('audio')).map(pieceOf);
  return {
    ...{ beginMs, seconds, inputs: { pictures, sounds } },
    scene: {
      ...{ ...scene, sounds: sounds.length, isAudioOnly: !tracks.includes('video'), maxPixels: maxSource?.pixels },
    },
  };
}

/** Sources after the first `mostComposedSources` are left out, but not the main source. */
function withMainAmongShown(sources: ComposedSource[], mainSourceID: string | undefined): ComposedSource[] {
  if (sources.length <= mostComposedSources) return sources;
  const isMain = ({ sourceID }: ComposedSource) => sourceID === mainSourceID;
  return [...sources.filter(isMain), ...sources.filter(source => !isMain(source))];
}

/** undefined: the source is away. A source that is only briefly away has no clips. */
function presentSource(
  own: readonly Clip[],
  { beginMs, endMs }: { beginMs: number; endMs: number },
  tracks: readonly MediaKind[],
): PresentSource | undefined {
  const clips = own.filter(clip => clip.beginMs < endMs && clip.endMs > beginMs);
  const before = own.findLast(clip => clip.endMs <= beginMs);
  const after = own.find(clip => clip.beginMs >= endMs);
  const isKept = before && after && after.beginMs - before.endMs <= keptMs;
  const clip = clips.at(-1) ?? (isKept ? before : undefined);
  if (!clip) return undefined;
  const { source, file } = clip;
  const composed: ComposedSource = {
    ...{ sourceID: source.sourceID, view: 'camera', sfuNodeID: '', name: source.name, isHost: source.isHost },
    tracks: tracks.filter(kind => file.kinds.includes(kind)),
  };
  const key = sourceKey(composed);
  const pictureSize = clips.length > 0 ? file.size : undefined;
  return { key, source: composed, pictureKey: key, pictureSize, buffered: undefined, clips };
}

import { mostComposedSources, type ComposedRoom, type ComposedSource, type CompositionStyle } from '@rtms/contracts';
import type { Timer } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import type { ComposedCapture, EncoderExit, Scene } from '../encoder/encoder.js';
import type { TimedFrame } from '../rtp/source-feed.js';
import { sourceKey } from './arrange.js';
import { ComposedRun, gridMs, patienceMs } from './composed-run.js';
import { SourceInput, type SourceParts } from './composed-source.js';
import { layoutOf, type Layout } from './layout.js';

/** A process that has begun, and the note of its end. */
export interface BegunRun {
  capture: ComposedCapture;
  /** `seconds`: the media of the run; undefined if it broke off. */
  onEnded: (seconds: number | undefined) => Promise<void>;
}

export interface CompositionParts extends SourceParts {
  begin(scene: Scene, beginMs: number, onExit: (exit: EncoderExit) => void): Promise<BegunRun>;
}

export interface CompositionListener {
  /** A run has begun. `beginMs`: ms since 1970. */
  onBegan(beginMs: number): void;
  /** A process exited unexpectedly, or did not start. The next run begins within some seconds unless the composition is closed. */
  onFailed(exit: EncoderExit): void;
  /** The picture waited for a source that sends none. */
  onWaited?(ms: number): void;
}

/** A layout changes at most once in this time. */
const shortestRunMs = 1_000;
/** A run waits for the keyframes of its sources. After this time it begins without the others. */
const collectMs = 1_500;
/** FFmpeg that encodes nothing for this time waits for pictures of a source that it cannot decode. */
const stuckMs = 4_000;
const hungMs = 12_000;
const refusedMs = 30_000;
/** FFmpeg that exits sooner may have failed because of a picture that is new in this run. */
const provenAfterMs = 3_000;
const mostEndingRuns = 4;

interface Running {
  run: ComposedRun;
  begun: BegunRun;
  layout: string;
  /** Keys of the pictures. */
  pictures: readonly string[];
  begunAt: number;
  encodedMs: number;
  encodedAt: number;
}

/** One picture and one sound of all sources of a room: their feeds, and successive runs of FFmpeg, one for each layout. */
export class Composition {
  private readonly inputs = new Map<string, SourceInput>();
  private current: Running | undefined;
  private readonly ending = new Set<Running>();
  private readonly endings = new Set<Promise<unknown>>();
  private beginning: Promise<void> | undefined;
  private collectingSince: number | undefined;
  private nextBeginAt = 0;
  /** Pictures that an FFmpeg has decoded. */
  private proven: readonly string[] = [];
  private timer: Timer | undefined;
  private room: ComposedRoom;
  private doneMs = 0;
  private tickedAt = 0;
  private isClosed = false;

  constructor(
    private readonly style: CompositionStyle,
    room: ComposedRoom,
    private readonly parts: CompositionParts,
    private readonly listener: CompositionListener,
  ) {
    this.room = room;
  }

  get pid(): number | undefined {
    return this.current?.run.capture.pid;
  }

  /** ms of media that all runs have so far. */
  get mediaMs(): number {
    return this.doneMs + (this.current ? Math.max(0, this.parts.clock.now() - this.current.run.beginMs) : 0);
  }

  /** Opens the feeds and begins the first run. */
  start(): void {
    if (this.isClosed || this.timer) return;
    this.timer = this.parts.clock.every(gridMs, () => this.tick());
    this.tickedAt = this.parts.clock.now();
    this.compose(this.room);
    this.tick();
  }

  /** The newest room counts. The layout follows within about two seconds. */
  compose(room: ComposedRoom): void {
    this.room = { ...room, sources: distinct(room.sources).slice(0, mostComposedSources) };
    if (!this.timer) return;
    const wanted = new Map(this.room.sources.map(source => [sourceKey(source), source]));
    for (const [key, input] of this.inputs) if (!wanted.has(key)) this.drop(key, input);
    for (const [key, source] of wanted) {
      const input = this.inputs.get(key);
      if (input) input.update(source);
      else this.inputs.set(key, new SourceInput(source, this.parts, (from, frame) => this.onFrame(from, frame)));
    }
  }

  /** Ends the run and closes the feeds. `start` begins again. Resolves when the last part is on the disk. */
  async pause(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    await this.beginning;
    const { current } = this;
    this.current = undefined;
    // A run that has just begun gets the shortest media, so that a recording that is announced has a file.
    if (current) this.end(current, Math.max(floorToGrid(this.parts.clock.now()), current.run.beginMs + gridMs));
    for (const each of this.ending) this.finish(each);
    for (const [key, input] of this.inputs) this.drop(key, input);
    this.collectingSince = undefined;
    await Promise.all(this.endings);
  }

  /** Like `pause`, for good. */
  close(): Promise<void> {
    this.isClosed = true;
    return this.pause();
  }

  private drop(key: string, input: SourceInput): void {
    this.inputs.delete(key);
    this.await(input.close());
  }

  private onFrame(key: string, frame: TimedFrame): void {
    for (const { run } of this.ending) run.onFrame(key, frame);
    const isSlow = this.current?.run.onFrame(key, frame);
    if (isSlow) this.inputs.get(key.split(' ')[0] ?? key)?.askForKeyframe();
  }

  private tick(): void {
    const now = this.parts.clock.now();
    // After a time without a processor, this action runs before the waiting media is read, which is neither late nor missing.
    const missedMs = Math.max(0, now - this.tickedAt - gridMs);
    const readUntil = now - missedMs;
    this.tickedAt = now;
    for (const input of this.inputs.values()) input.tick(readUntil);
    const { current, ending } = this;
    for (const { run } of current ? [...ending, current] : ending) run.advance(now, readUntil);
    for (const each of ending) if (readUntil >= each.run.endMs + patienceMs + gridMs) this.finish(each);
    if (current) this.watch(current, now, missedMs);
    this.followRoom(now);
  }

  private watch(current: Running, now: number, missedMs: number): void {
    const { run } = current;
    this.endSilent(run, now - missedMs);
    // FFmpeg got no media meanwhile.
    current.encodedAt += missedMs;
    if (run.capture.encodedMs !== current.encodedMs)
      Object.assign(current, { encodedMs: run.capture.encodedMs, encodedAt: now });
    if (now - current.encodedAt <= stuckMs) return;
    const guilty = new Set(run.drainedPictures());
    const refused = [...this.inputs.values()].filter(({ pictureKey }) => guilty.has(pictureKey));
    for (const input of refused) input.refuse(refusedMs);
    const isHung = now - current.encodedAt > hungMs;
    if (refused.length === 0 && !isHung) return;
    this.lose(current);
    if (isHung) this.listener.onFailed(failure('FFmpeg encodes nothing'));
  }

  private endSilent(run: ComposedRun, now: number): void {
    const silences = [...this.inputs.values()].map(input => ({ input, ms: input.freezesAfterMs(now) }));
    for (const { input, ms } of silences) if (ms > 0) run.endPicture(input.pictureKey);
    const waitedMs = Math.max(0, ...silences.map(({ ms }) => ms));
    if (waitedMs > 0) this.listener.onWaited?.(waitedMs);
  }

  /** Forgets a run that encodes nothing, or has died. */
  private lose(lost: Running): void {
    if (this.current === lost) {
      this.current = undefined;
      this.doneMs += lost.encodedMs;
    }
    this.ending.delete(lost);
    this.await(lost.run.abandon().then(() => lost.begun.onEnded(undefined)));
  }

  /** Begins another run if the layout has changed, as soon as its sources have keyframes. */
  private followRoom(now: number): void {
    if (this.beginning || !this.timer) return;
    const { text, shown } = this.layout();
    if (this.current?.layout === text) this.collectingSince = undefined;
    else if (now >= this.nextBeginAt) this.collect(shown, now);
  }

  private collect(shown: readonly SourceInput[], now: number): void {
    this.collectingSince ??= now;
    for (const input of shown) input.collect();
    if (now - this.collectingSince < collectMs && !this.isReady(shown, now)) return;
    for (const input of shown) if (!input.buffered) input.losePicture();
    this.collectingSince = undefined;
    this.nextBeginAt = now + shortestRunMs;
    this.beginning = this.begin(this.layout(), ceilToGrid(now)).finally(() => (this.beginning = undefined));
  }

  private isReady(shown: readonly SourceInput[], now: number): boolean {
    if (!shown.every(({ buffered }) => buffered)) return false;
    return ![...this.inputs.values()].some(input => input.isExpected(now));
  }

  private layout(): Layout {
    return layoutOf(this.style, this.room, this.inputs);
  }

  private async begin({ text, shown, scene, media }: Layout, beginMs: number): Promise<void> {
    let exited: EncoderExit | undefined;
    let running: Running | undefined;
    const onExit = (exit: EncoderExit) => {
      exited = exit;
      if (running && !exit.expected) this.onExit(running, exit);
    };
    const pictures = shown.map(({ pictureKey }) => pictureKey);
    try {
      const begun = await this.parts.begin(scene, beginMs, onExit);
      const begunAt = this.parts.clock.now();
      const run = new ComposedRun(begun.capture, beginMs, media);
      running = { run, begun, layout: text, pictures, begunAt, encodedMs: 0, encodedAt: begunAt };
      this.replace(running, new Set(media.map(({ key }) => key)));
      if (exited) this.onExit(running, exited);
    } catch (error) {
      this.listener.onFailed(failure(messageOf(error)));
    }
  }

  private replace(next: Running, keys: ReadonlySet<string>): void {
    const { current } = this;
    const { run } = next;
    this.current = next;
    if (current) this.end(current, run.beginMs);
    for (const input of this.inputs.values()) {
      const { pictureKey, key } = input;
      if (!keys.has(pictureKey) && !keys.has(key)) continue;
      for (const frame of input.take()) run.onFrame(frame.kind === 'video' ? pictureKey : key, frame);
    }
    this.listener.onBegan(run.beginMs);
  }

  private end(current: Running, endMs: number): void {
    current.run.endMs = Math.max(endMs, current.run.beginMs);
    this.doneMs += current.run.endMs - current.run.beginMs;
    this.ending.add(current);
    this.notePictures(current);
    if (this.ending.size > mostEndingRuns) for (const each of this.ending) this.finish(each);
  }

  private finish(ended: Running): void {
    this.ending.delete(ended);
    const { run, begun } = ended;
    this.await(run.finish().then(() => begun.onEnded(run.seconds)));
  }

  private onExit(running: Running, exit: EncoderExit): void {
    const isCurrent = this.current === running;
    this.notePictures(running);
    this.lose(running);
    if (!isCurrent) return;
    const blamed = [...this.inputs.values()].filter(
      ({ pictureKey }) => running.pictures.includes(pictureKey) && !this.proven.includes(pictureKey),
    );
    for (const input of blamed) input.refuse(refusedMs);
    if (blamed.length === 0) this.listener.onFailed(exit);
    else this.parts.logger.warn({ ...exit, blamed: blamed.map(({ key }) => key) }, 'FFmpeg failed with a new picture');
  }

  private notePictures({ begunAt, pictures, encodedMs }: Running): void {
    if (encodedMs > 0 && this.parts.clock.now() - begunAt >= provenAfterMs) this.proven = pictures;
  }

  private await(work: Promise<unknown>): void {
    const ending = work
      .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot end a part of a composition'))
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }
}

function distinct(sources: readonly ComposedSource[]): ComposedSource[] {
  return [...new Map(sources.map(source => [sourceKey(source), source])).values()];
}

function failure(message: string): EncoderExit {
  return { expected: false, code: null, signal: null, lastLines: [message] };
}

function floorToGrid(ms: number): number {
  return Math.floor(ms / gridMs) * gridMs;
}

function ceilToGrid(ms: number): number {
  return Math.ceil(ms / gridMs) * gridMs;
}

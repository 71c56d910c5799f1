import { randomInt } from 'node:crypto';
import type { PictureSize } from '@rtms/bitstream';
import type { Closeable, Requester } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { ServiceError, sfuCommands, type CodecName, type StartRepairRequest } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { EncoderExit, EncoderRun } from '../../encoder/encoder.js';
import { StreamWriter } from '../../encoder/matroska/stream-writer.js';
import { RtpReceiver } from '../../rtp/rtp-receiver.js';
import {
  isKeyframe,
  type Feed,
  type FeedAddress,
  type Keyframe,
  type OpenFeed,
  type TimedFrame,
} from '../../rtp/source-feed.js';
import { Failures, isTooLarge } from '../job-limits.js';
import type { StartRepairer } from '../../encoder/ffmpeg/ffmpeg-repairer.js';
import { RepairedStream } from './repaired-stream.js';

export interface RepairJobParts {
  bus: Requester;
  openFeed: OpenFeed;
  startRepairer: StartRepairer;
  /** The address from which RTP leaves, as of feeds. */
  address: FeedAddress;
  clock: Clock;
  logger: Logger;
  /** Whether this node drains, so that another one must follow. */
  isLeaving(): boolean;
  /** Nobody wants the repair, or it cannot go on. */
  onOver(): void;
}

const tickMs = 1_000;
/** A lost SFU node answers nothing. The room may also be back on it after a moment. */
const mostUnanswered = 5;
/** After these failures of FFmpeg in a minute the SFU node asks for another transcoder. */
const mostFailures = 3;

interface Run {
  size: PictureSize;
  first: Keyframe;
  process: Pick<EncoderRun, 'pid' | 'close'>;
  writer: StreamWriter;
  output: RtpReceiver;
}

/** One repair: takes a session's media from an SFU node, and sends it back without B-frames until the node no longer wants it. */
export class RepairJob implements Closeable {
  private feed: Feed | undefined;
  private stream: RepairedStream | undefined;
  private run: Run | undefined;
  /** The frames since the keyframe with which a run begins, until its port is open. */
  private early: TimedFrame[] | undefined;
  private readonly failures = new Failures(mostFailures);
  private unanswered = 0;
  private isAsking = false;
  private timer: Timer | undefined;
  private readonly endings = new Set<Promise<void>>();
  private isOver = false;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly request: StartRepairRequest,
    private readonly parts: RepairJobParts,
  ) {}

  get pid(): number | undefined {
    return this.run?.process.pid;
  }

  /** ms by which the repair delays the media; undefined before the first picture. */
  get delayMs(): number | undefined {
    return this.stream?.delayMs;
  }

  /** Opens feed and ports. After a failure nothing stays open. */
  async start(): Promise<void> {
    const { clock, address } = this.parts;
    try {
      const stream = (this.stream = await RepairedStream.open(address.listenIP, clock));
      const [feed, inputs] = await Promise.allSettled([this.openFeed(), this.openInputs(stream)]);
      if (feed.status === 'fulfilled') this.feed = feed.value;
      if (this.closing) {
        await Promise.all([this.feed?.close(), stream.close()]);
        throw new ServiceError('controller_unavailable', 'The repair was ended while it started.');
      }
      for (const each of [feed, inputs]) if (each.status === 'rejected') throw each.reason;
      if (inputs.status === 'fulfilled') stream.sendTo(inputs.value);
      this.feed?.requestKeyframe();
      this.timer = clock.every(tickMs, () => this.onTick());
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  close(): Promise<void> {
    this.isOver = true;
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    this.timer?.cancel();
    this.endRun();
    await Promise.all([this.feed?.close(), this.stream?.close(), ...this.endings]);
  }

  private openFeed(): Promise<Feed> {
    const { repairID: feedID, sessionID: sourceID, sfuNodeID, tracks } = this.request;
    const { bus, openFeed } = this.parts;
    const needs = { decodes: (codec: CodecName) => codec === 'h264' || codec === 'opus', needsVideo: true };
    return openFeed(bus, { feedID, sourceID, sfuNodeID, tracks }, needs, {
      onFrame: frame => this.onFrame(frame),
      onDamage: () => this.feed?.requestKeyframe(),
    });
  }

  private async openInputs(stream: RepairedStream) {
    const { repairID, sfuNodeID, tracks } = this.request;
    const senders = stream.senders(tracks, this.parts.address.announcedIP);
    const { inputs } = await this.parts.bus.request(sfuCommands.openRepair.forNode(sfuNodeID), { repairID, senders });
    return inputs;
  }

  private onFrame(frame: TimedFrame): void {
    if (this.isOver) return;
    if (frame.kind === 'audio') return this.stream?.onAudio(frame);
    if (isKeyframe(frame) && this.mustBegin(frame)) return void this.begin(frame);
    if (this.early) this.early.push(frame);
    else if (this.run) this.write(this.run, frame);
  }

  /** Pictures from before the keyframe cannot be decoded. */
  private write({ first, writer }: Run, frame: TimedFrame): void {
    if (frame.timeMs >= first.timeMs) writer.write(frame);
  }

  private mustBegin({ size }: Keyframe): boolean {
    if (this.early) return false;
    return this.run?.size.width !== size.width || this.run.size.height !== size.height;
  }

  private async begin(first: Keyframe): Promise<void> {
    const { maxSource } = this.request;
    if (isTooLarge(first.size, maxSource))
      return this.giveUp({ size: first.size }, 'the source is too large to repair');
    this.endRun();
    this.early = [first];
    try {
      const output = await RtpReceiver.open('127.0.0.1', this.parts.clock);
      if (this.isOver) return void (await output.close());
      this.launch(first, output);
    } catch (err) {
      this.giveUp({ err }, 'cannot open a port for repaired video');
    } finally {
      this.early = undefined;
    }
  }

  private launch(first: Keyframe, output: RtpReceiver): void {
    const { maxSource, videoBitrate: bitrate } = this.request;
    const { size } = first;
    const ssrc = randomInt(1, 2 ** 31);
    const { rtpPort, rtcpPort } = output;
    const plan = { size, bitrate, maxPixels: maxSource.pixels, rtpPort, rtcpPort, ssrc };
    const process = this.parts.startRepairer(plan, exit => this.onExit(run, exit));
    const run: Run = {
      size,
      first,
      process,
      output,
      writer: new StreamWriter(process, { video: { codec: 'h264' } }, first),
    };
    this.run = run;
    this.stream?.beginVideo(first);
    output.listen(ssrc, { onPacket: packet => this.stream?.onVideo(packet), onSenderReport: () => undefined });
    for (const frame of this.early ?? []) this.write(run, frame);
  }

  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (!run) return;
    const ending = Promise.all([run.process.close(), run.output.close()])
      .then(() => undefined)
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  /** The next keyframe starts another FFmpeg. */
  private onExit(run: Run, { expected, code, signal, lastLines }: EncoderExit): void {
    if (expected || this.run !== run) return;
    this.parts.logger.error({ code, signal, lastLines }, 'the FFmpeg of a repair exited unexpectedly');
    this.endRun();
    if (this.failures.add(this.parts.clock.now())) return this.giveUp({}, 'a repair fails too often');
    this.feed?.requestKeyframe();
  }

  private onTick(): void {
    if (!this.run) this.feed?.requestKeyframe();
    if (!this.isAsking) void this.ask();
  }

  private async ask(): Promise<void> {
    const { repairID, sfuNodeID } = this.request;
    this.isAsking = true;
    try {
      const question = { repairID, isLeaving: this.parts.isLeaving() };
      const keep = sfuCommands.keepRepair.forNode(sfuNodeID);
      const { isWanted } = await this.parts.bus.request(keep, question, { deadlineMs: tickMs });
      this.unanswered = 0;
      if (!isWanted) this.end();
    } catch {
      this.unanswered += 1;
      if (this.unanswered >= mostUnanswered) this.giveUp({}, 'the SFU node of a repair does not answer');
    } finally {
      this.isAsking = false;
    }
  }

  private giveUp(fields: object, message: string): void {
    this.parts.logger.warn(fields, message);
    this.end();
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.parts.onOver();
  }
}

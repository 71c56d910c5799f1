import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import { inspectH264, type H264Findings } from '../h264-bitstream.js';
import { toFeedCapabilities } from './rtp-mapping.js';
import type { RtpCodec } from '../rtp-parameters.js';

/** Enough pictures to meet a B-frame wherever an encoder uses them: two seconds of video. */
const picturesToSee = 60;

/**
 * A consumer of a video track inside this process, paused but for moments: mediasoup asks a publisher for keyframes, and
 * shows its packets, only on behalf of a consumer.
 */
export class StreamProbe {
  private opened: Promise<types.Consumer> | undefined;
  private transport: types.DirectTransport | undefined;
  private inspecting = false;
  private closed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
    private readonly clock: Clock,
  ) {}

  /** Resuming a consumer makes the worker ask for a keyframe; it asks at most once in the producer's request delay. */
  async requestKeyframe(): Promise<void> {
    const consumer = await this.open();
    if (this.inspecting) return consumer.requestKeyFrame();
    await consumer.resume();
    await consumer.pause();
  }

  /** Looks at an H264 stream until it has shown its parameters, at most for `timeoutMs`. */
  async inspect(timeoutMs: number): Promise<H264Findings> {
    const consumer = await this.open();
    this.inspecting = true;
    const findings = new Promise<H264Findings>(resolve => this.collect(consumer, timeoutMs, resolve));
    await consumer.resume();
    const result = await findings;
    this.inspecting = false;
    if (!consumer.closed) await consumer.pause();
    return result;
  }

  close(): void {
    this.closed = true;
    this.transport?.close();
  }

  private collect(consumer: types.Consumer, timeoutMs: number, resolve: (findings: H264Findings) => void): void {
    let findings: H264Findings = { bFrames: false, pictures: 0 };
    const finish = (): void => {
      timer.cancel();
      consumer.off('rtp', onPacket);
      consumer.observer.off('close', finish);
      resolve(findings);
    };
    const onPacket = (packet: Buffer): void => {
      findings = inspectH264(packet, findings);
      if (findings.profileLevelID && (findings.bFrames || findings.pictures >= picturesToSee)) finish();
    };
    const timer = this.clock.after(timeoutMs, finish);
    consumer.on('rtp', onPacket);
    consumer.observer.once('close', finish);
  }

  private open(): Promise<types.Consumer> {
    this.opened ??= this.openConsumer();
    return this.opened;
  }

  private async openConsumer(): Promise<types.Consumer> {
    const transport = await this.router.createDirectTransport();
    this.transport = transport;
    if (this.closed) transport.close();
    return transport.consume({
      producerId: this.producer.id,
      rtpCapabilities: toFeedCapabilities(this.codec),
      enableRtx: false,
      paused: true,
    });
  }
}

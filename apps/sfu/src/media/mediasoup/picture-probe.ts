import type { types } from 'mediasoup';
import type { Clock, Timer } from '@rtms/clock';
import { PictureMeter, unknownPicture, type Picture } from '../picture-meter.js';
import type { RtpCodec } from '../rtp-parameters.js';
import { toFeedCapabilities } from './rtp-mapping.js';

const lookMs = 1_500;
/** Each look makes the publisher send a keyframe. */
const pauseMs = 15_000;

/** Looks at the pictures of a video track for a moment, at most every 15 s and only when somebody asks. */
export class PictureProbe {
  private picture: Picture = unknownPicture;
  private lookedAt = -Infinity;
  private transport: types.DirectTransport | undefined;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
    private readonly clock: Clock,
  ) {}

  /** Returns the picture of the last look. A look that is due runs in the background. */
  look(): Picture {
    const now = this.clock.now();
    if (this.producer.kind !== 'video' || this.isClosed) return this.picture;
    if (now - this.lookedAt >= pauseMs) {
      this.lookedAt = now;
      // A stream that cannot be looked at is forwarded all the same.
      this.open().catch(() => this.endLook());
    }
    return this.picture;
  }

  close(): void {
    this.isClosed = true;
    this.endLook();
  }

  private async open(): Promise<void> {
    const transport = await this.router.createDirectTransport();
    this.transport = transport;
    if (this.isClosed) return this.endLook();
    const rtpCapabilities = toFeedCapabilities(this.codec);
    const consumer = await transport.consume({ producerId: this.producer.id, rtpCapabilities, enableRtx: false });
    const meter = new PictureMeter(this.codec.mimeType);
    consumer.on('rtp', packet => meter.add(packet, this.clock.now()));
    this.timer = this.clock.after(lookMs, () => {
      this.picture = meter.picture(this.clock.now(), this.picture);
      this.endLook();
    });
  }

  private endLook(): void {
    this.timer?.cancel();
    this.transport?.close();
    this.transport = undefined;
  }
}

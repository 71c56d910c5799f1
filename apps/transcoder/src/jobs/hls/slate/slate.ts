import { messageOf, type Logger } from '@rtms/logging';
import type { FrameRate } from '../../../rtp/frame-rate.js';
import type {
  Encoder,
  EncoderExit,
  EncoderRun,
  EncodingPlan,
  FinishedPart,
  FinishedSegment,
  Still,
} from '../../../encoder/encoder.js';

/** Enough for a still picture. A ladder from 1080 lines down takes 12 % of a core. */
const frameRate: FrameRate = { numerator: 5, denominator: 1 };

export interface SlateListener {
  onInit(renditionName: string, bytes: Buffer): void;
  onPart?(renditionName: string, part: FinishedPart): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
}

/** ms without video after which players need a slate: they have three segments, and the slate takes one to start. */
export function slateAfterMs(segmentSeconds: number): number {
  return Math.max(2_000, 1_500 * segmentSeconds);
}

/**
 * A still picture and silence in place of a lost source, in the renditions that players use. A picture that cannot be decoded
 * is replaced by black. Any other encoder that fails is not replaced: players then wait for the source.
 */
export class Slate {
  private starting: Promise<void>;
  private run: EncoderRun | undefined;
  private isOver = false;
  private hasOutput = false;

  constructor(
    private readonly encoder: Encoder,
    private readonly plan: Omit<EncodingPlan, 'frameRate' | 'input' | 'still'>,
    still: Promise<Still | undefined>,
    private readonly listener: SlateListener,
    private readonly logger: Logger,
  ) {
    this.starting = still
      .catch((error: unknown) => this.warn({ message: messageOf(error) }, 'a slate has no picture'))
      .then(picture => this.start(picture));
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    this.isOver = true;
    await this.starting;
    await this.run?.close();
  }

  private async start(still: Still | undefined): Promise<void> {
    if (this.isOver) return;
    const { encoder, listener, plan } = this;
    const hears = {
      onInit: (name: string, bytes: Buffer) => {
        this.hasOutput = true;
        if (!this.isOver) listener.onInit(name, bytes);
      },
      onPart: (name: string, part: FinishedPart) => !this.isOver && listener.onPart?.(name, part),
      onSegment: (name: string, segment: FinishedSegment) => !this.isOver && listener.onSegment(name, segment),
      onExit: ({ expected, lastLines }: EncoderExit) => {
        if (expected) return;
        this.warn({ lastLines }, 'the slate of a broadcast ended');
        if (still && !this.hasOutput) this.starting = this.start(undefined);
      },
    };
    try {
      this.run = await encoder.start({ ...plan, frameRate, input: 'slate', ...(still && { still }) }, hears);
    } catch (error) {
      this.warn({ message: messageOf(error) }, 'the slate of a broadcast cannot start');
    }
  }

  private warn(details: object, message: string): undefined {
    this.logger.warn(details, message);
  }
}

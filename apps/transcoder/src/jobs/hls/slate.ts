import { messageOf, type Logger } from '@rtms/logging';
import type { FrameRate } from '../../rtp/frame-rate.js';
import type { Encoder, EncoderRun, EncodingPlan, FinishedSegment } from '../../encoder/encoder.js';

/** Enough for a still picture. A ladder of 1080, 720 and 360 lines takes 8 % of a core. */
const frameRate: FrameRate = { numerator: 5, denominator: 1 };

export interface SlateListener {
  onInit(renditionName: string, bytes: Buffer): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
}

/** ms without video after which players need a slate: they have three segments, and the slate takes one to start. */
export function slateAfterMs(segmentSeconds: number): number {
  return Math.max(2_000, 1_500 * segmentSeconds);
}

/**
 * Black pictures and silence in place of a lost source, in the renditions that players use. An encoder that fails is not
 * replaced: players then wait for the source.
 */
export class Slate {
  private readonly starting: Promise<EncoderRun | undefined>;
  private isOver = false;

  constructor(
    encoder: Encoder,
    plan: Omit<EncodingPlan, 'frameRate' | 'input'>,
    listener: SlateListener,
    private readonly logger: Logger,
  ) {
    const hears = {
      onInit: (name: string, bytes: Buffer) => !this.isOver && listener.onInit(name, bytes),
      onSegment: (name: string, segment: FinishedSegment) => !this.isOver && listener.onSegment(name, segment),
      onExit: ({ expected, lastLines }: { expected: boolean; lastLines: string[] }) => {
        if (!expected) this.logger.warn({ lastLines }, 'the slate of a broadcast ended');
      },
    };
    this.starting = encoder.start({ ...plan, frameRate, input: 'slate' }, hears).catch((error: unknown) => {
      this.logger.warn({ message: messageOf(error) }, 'the slate of a broadcast cannot start');
      return undefined;
    });
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    this.isOver = true;
    await (await this.starting)?.close();
  }
}

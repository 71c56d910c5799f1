import type { PictureSize } from '@rtms/bitstream';
import type { ManualClock } from '@rtms/testing';
import type { Feed, FeedCodecs, FeedListener, OpenFeed } from '../src/rtp/source-feed.js';

export const frameMs = 100;

/** A source without sockets: ten pictures a second at the times of a manual clock, the first of each second a keyframe. */
export class VirtualSource {
  readonly feeds: VirtualFeed[] = [];
  /** The times of its pictures are so far ahead of the clock. */
  aheadMs = 0;
  private sent = 0;

  constructor(
    private readonly clock: ManualClock,
    private readonly codecs: FeedCodecs = { video: { codec: 'vp8' }, audio: { channels: 2 } },
  ) {}

  readonly open: OpenFeed = async (_bus, _request, _needs, listener) => {
    const feed = new VirtualFeed(this.codecs, listener);
    this.feeds.push(feed);
    return feed;
  };

  /** Sends `count` pictures, and moves the clock to the time of the last picture. */
  async send(count: number, size: PictureSize = { width: 640, height: 360 }): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      if (this.sent > 0) await this.clock.advance(frameMs);
      this.sendOne(size);
    }
    await this.clock.advance(0);
  }

  private sendOne(size: PictureSize): void {
    const now = this.clock.now();
    const keyframe = this.sent++ % 10 === 0;
    const timeMs = now + this.aheadMs;
    const rtpTimestamp = (timeMs * 90) % 2 ** 32;
    for (const feed of this.feeds.filter(({ isClosed }) => !isClosed))
      feed.listener.onFrame({
        ...{ kind: 'video', data: Buffer.alloc(2_000, 1), keyframe, rtpTimestamp, receivedAt: now, timeMs },
        ...(keyframe && { size }),
      });
  }
}

export class VirtualFeed implements Feed {
  keyframeRequests = 0;
  isClosed = false;

  constructor(
    readonly codecs: FeedCodecs,
    readonly listener: FeedListener,
  ) {}

  senderTimeOf(timeMs: number): number {
    return timeMs;
  }

  requestKeyframe(): void {
    this.keyframeRequests += 1;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

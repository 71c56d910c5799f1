import type { Bus } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { ServiceError, transcoderCommands, type Thumbnail, type ThumbnailRequest } from '@rtms/contracts';
import { OnCommand } from '@rtms/node';
import { LRUCache } from 'lru-cache';
import { canDecode, convert, type Ffmpeg } from '@rtms/ffmpeg';
import { maxPixelsArguments } from '../../encoder/ffmpeg/ffmpeg-arguments.js';
import { StreamWriter } from '../../encoder/matroska/stream-writer.js';
import { isKeyframe, type Feed, type FeedCodecs, type Keyframe, type OpenFeed } from '../../rtp/source-feed.js';
import { FairSlots } from './fair-slots.js';

export interface ThumbnailParts {
  bus: Bus;
  openFeed: OpenFeed;
  ffmpeg: Ffmpeg;
  clock: Clock;
  nodeID: string;
}

/** A source is looked at once in this time, however many viewers ask, and also when no picture came. */
const intervalMs = 5_000;
const keyframeTimeoutMs = 3_000;
const decodeTimeoutMs = 3_000;
/** A picture has about 15 kB. */
const mostJpegBytes = 128 * 1024;
const mostSources = 500;
/** A 4K picture. */
const mostPixels = 3840 * 2160;
/** A picture costs 0.1 s of CPU, and a second of waiting for its keyframe. */
const limits = { slots: 4, slotsPerOwner: 2, waitingPerOwner: 32, waiting: 200 };

interface Attempt {
  startedAt: number;
  thumbnail: Promise<Thumbnail>;
}

/**
 * Takes pictures of sources while somebody asks for them: opens a feed for one keyframe and decodes it. A source with a
 * broadcast is no exception, because its encoder has a keyframe at hand only by chance.
 */
export class Thumbnails {
  private readonly attempts = new LRUCache<string, Attempt>({ max: mostSources });
  private readonly slots = new FairSlots(limits);

  constructor(private readonly parts: ThumbnailParts) {}

  /** Throws the errors of `SourceFeed.opener`, `too_many_waiting`, and `dependency_unavailable` when no picture came in time. */
  @OnCommand(transcoderCommands.takeThumbnail)
  take(request: ThumbnailRequest): Promise<Thumbnail> {
    const now = this.parts.clock.now();
    const last = this.attempts.get(request.sourceID);
    if (last && now - last.startedAt < intervalMs) return last.thumbnail;
    const thumbnail = this.slots.run(request.accountID, () => this.picture(request));
    this.attempts.set(request.sourceID, { startedAt: now, thumbnail });
    return thumbnail.catch((error: unknown) => {
      const isQueueFull = error instanceof ServiceError && error.reason === 'too_many_waiting';
      if (isQueueFull) this.attempts.delete(request.sourceID);
      throw error;
    });
  }

  private async picture(request: ThumbnailRequest): Promise<Thumbnail> {
    const { frame, codecs } = await this.nextKeyframe(request);
    const jpeg = await convert(this.parts.ffmpeg, jpegArguments, {
      input: streamOf(frame, codecs),
      timeoutMs: decodeTimeoutMs,
      mostOutputBytes: mostJpegBytes,
    }).catch(() => Promise.reject(noPicture()));
    if (jpeg.length === 0) throw noPicture();
    return { jpeg: jpeg.toString('base64') };
  }

  private async nextKeyframe({ sourceID, sfuNodeID }: ThumbnailRequest) {
    const { bus, openFeed, ffmpeg, clock, nodeID } = this.parts;
    let arrive: (frame: Keyframe) => void = () => undefined;
    const arrived = new Promise<Keyframe>(resolve => (arrive = resolve));
    let feed: Feed | undefined;
    let timer: Timer | undefined;
    try {
      const request = { feedID: `thumbnail-${nodeID}-${sourceID}`, sourceID, sfuNodeID, tracks: ['video'] as const };
      const needs = { decodes: canDecode.bind(undefined, ffmpeg), needsVideo: true };
      feed = await openFeed(bus, request, needs, {
        onFrame: frame => void (isKeyframe(frame) && arrive(frame)),
        onDamage: () => feed?.requestKeyframe(),
      });
      feed.requestKeyframe();
      const late = new Promise<never>((_, reject) => {
        timer = clock.after(keyframeTimeoutMs, () => reject(noPicture()));
      });
      return { frame: await Promise.race([arrived, late]), codecs: feed.codecs };
    } finally {
      timer?.cancel();
      await feed?.close();
    }
  }
}

/** The keyframe as a Matroska stream. */
function streamOf(frame: Keyframe, { video }: FeedCodecs): Buffer {
  const written: Buffer[] = [];
  const sink = { write: (data: Buffer) => written.push(data) > 0 };
  new StreamWriter(sink, { ...(video && { video }) }, frame).write(frame);
  return Buffer.concat(written);
}

/** Scales into 320×180, and keeps the shape. */
const jpegArguments = [
  ...['-hide_banner', '-nostats', '-loglevel', 'error', '-fpsprobesize', '0', '-analyzeduration', '0'],
  ...[...maxPixelsArguments(mostPixels), '-threads', '1', '-f', 'matroska', '-i', 'pipe:0', '-frames:v', '1'],
  ...['-vf', "scale='if(gt(a,16/9),320,-2)':'if(gt(a,16/9),-2,180)'", '-q:v', '5', '-f', 'mjpeg', 'pipe:1'],
];

function noPicture(): ServiceError {
  return new ServiceError('dependency_unavailable', 'The source sent no picture in time. Try again in a moment.');
}

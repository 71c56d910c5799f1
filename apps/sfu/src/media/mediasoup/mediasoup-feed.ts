import type { types } from 'mediasoup';
import type { FeedDestination, FeedTrack } from '@rtms/contracts';
import { Listeners } from '../listeners.js';
import type { MediaFeed, PublishedTrack } from '../media-engine.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { toFeedCapabilities } from './rtp-mapping.js';

export interface FeedOptions {
  router: types.Router;
  listen: types.TransportListenInfo;
  tracks: PublishedTrack[];
  destinations: FeedDestination[];
}

interface FeedLeg {
  track: FeedTrack;
  transport: types.PlainTransport;
}

/** One plain transport for each track that has a destination. */
export class MediasoupFeed implements MediaFeed {
  private readonly closing = new Listeners<[]>();
  private closed = false;

  private constructor(private readonly legs: FeedLeg[]) {}

  static async open({ router, listen, tracks, destinations }: FeedOptions): Promise<MediasoupFeed> {
    const wanted = destinations.flatMap(destination => {
      const track = tracks.find(candidate => candidate.kind === destination.kind);
      return track instanceof MediasoupTrack ? [{ track, destination }] : [];
    });
    const opened = await Promise.allSettled(
      wanted.map(({ track, destination }) => openLeg(router, listen, track, destination)),
    );
    const feed = new MediasoupFeed(opened.flatMap(leg => (leg.status === 'fulfilled' ? [leg.value] : [])));
    const failure = opened.find(leg => leg.status === 'rejected');
    if (!failure) return feed;
    feed.closeNow();
    throw failure.reason;
  }

  get tracks(): FeedTrack[] {
    return this.legs.map(leg => leg.track);
  }

  onClosed(listener: () => void): void {
    this.closing.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    if (this.closed) return;
    this.closed = true;
    for (const leg of this.legs) leg.transport.close();
    this.closing.emit();
  }
}

/** RTCP has its own port, since FFmpeg and our own receiver expect it so; the worker sends first, so nothing is learnt. */
async function openLeg(
  router: types.Router,
  listen: types.TransportListenInfo,
  track: MediasoupTrack,
  { ip, rtpPort, rtcpPort }: FeedDestination,
): Promise<FeedLeg> {
  const transport = await router.createPlainTransport({ listenInfo: listen, rtcpMux: false, comedia: false });
  try {
    await transport.connect({ ip, port: rtpPort, rtcpPort });
    const consumer = await track.consumeOn(transport, {
      rtpCapabilities: toFeedCapabilities(track.codec),
      enableRtx: false,
    });
    await consumer.resume();
    return { track: feedTrack(track, consumer), transport };
  } catch (error) {
    transport.close();
    throw error;
  }
}

function feedTrack(track: MediasoupTrack, consumer: types.Consumer): FeedTrack {
  const { mimeType, clockRate, channels, parameters } = track.codec;
  return {
    trackID: track.trackID,
    kind: track.kind,
    codec: mimeType.split('/')[1] ?? mimeType,
    payloadType: consumer.rtpParameters.codecs[0]?.payloadType ?? 0,
    clockRate,
    ...(channels !== undefined && { channels }),
    ssrc: consumer.rtpParameters.encodings?.[0]?.ssrc ?? 0,
    parameters,
  };
}

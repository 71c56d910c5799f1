import type { types } from 'mediasoup';
import type { FeedDestination, FeedTrack, PipeEnd, PipedTrack, RtpDescription } from '@rtms/contracts';
import { describeFeedTrack } from '../codecs.js';
import { Ending, Listeners } from '../listeners.js';
import {
  closedError,
  type MediaFeed,
  type PublishedTrack,
  type RoomPipe,
  type TrackPipe,
  whileOpen,
} from '../media-engine.js';
import { MediasoupTrack } from './tracks/mediasoup-track.js';
import { toFeedCapabilities } from './tracks/rtp-mapping.js';
import type { MediaWorker } from './media-worker.js';
import { resolveAddress } from './listen-address.js';

interface FeedOptions {
  router: types.Router;
  listen: types.TransportListenInfo;
  tracks: PublishedTrack[];
  destinations: FeedDestination[];
}

interface FeedLeg {
  track: FeedTrack;
  transport: types.PlainTransport;
}

/** A feed: one plain transport for each track that has a destination. */
export class MediasoupFeed implements MediaFeed {
  private readonly ending = new Ending();

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
    this.ending.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    this.ending.run(() => this.legs.forEach(({ transport }) => transport.close()));
  }
}

/** Uses a separate RTCP port, as FFmpeg and our receiver expect. Disables comedia, because the worker sends first. */
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
    const { codecs, encodings } = consumer.rtpParameters;
    const sent = { payloadType: codecs[0]?.payloadType ?? 0, ssrc: encodings?.[0]?.ssrc ?? 0 };
    return { track: describeFeedTrack(track, sent), transport };
  } catch (error) {
    transport.close();
    throw error;
  }
}

/** One track in a pipe: a consumer with all layers. */
class MediasoupTrackPipe implements TrackPipe {
  readonly track: PipedTrack;
  hasSent = false;
  private readonly pausing = new Listeners<[]>();
  private readonly ended = new Listeners<[]>();

  constructor(
    { trackID, kind, codec, encodingIDs }: PublishedTrack,
    private readonly consumer: types.Consumer,
  ) {
    const rtpParameters = { ...consumer.rtpParameters } as RtpDescription;
    this.track = { trackID, kind, codec, encodingIDs, paused: consumer.producerPaused, rtpParameters };
    consumer.on('producerpause', () => this.pausing.emit());
    consumer.on('producerresume', () => this.pausing.emit());
    consumer.observer.once('close', () => this.ended.emit());
    this.watchFirstPacket();
  }

  get paused(): boolean {
    return this.consumer.producerPaused;
  }

  onPaused(listener: () => void): void {
    this.pausing.add(listener);
  }

  onEnded(listener: () => void): void {
    if (this.consumer.closed) listener();
    else this.ended.add(listener);
  }

  async close(): Promise<void> {
    this.consumer.close();
  }

  private watchFirstPacket(): void {
    const trace = (types: types.ConsumerTraceEventType[]): void =>
      void this.consumer.enableTraceEvent(types).catch(() => undefined);
    this.consumer.once('trace', () => {
      this.hasSent = true;
      trace([]);
    });
    trace(['rtp']);
  }
}

/** A pipe transport with retransmission. It is encrypted, because its packets may leave the machine. */
export class MediasoupPipe implements RoomPipe {
  private readonly received = new Set<MediasoupTrack>();
  private readonly ending = new Ending();

  constructor(
    private readonly transport: types.PipeTransport,
    private readonly router: types.Router,
    private readonly worker: Pick<MediaWorker, 'relayAddress' | 'clock'>,
  ) {}

  get end(): PipeEnd {
    const { srtpParameters, tuple } = this.transport;
    if (!srtpParameters) throw new Error('A pipe between nodes is always encrypted.');
    return { address: this.worker.relayAddress, port: tuple.localPort, srtp: { ...srtpParameters } };
  }

  async connect({ address, port, srtp }: PipeEnd): Promise<void> {
    const ip = await resolveAddress(address, this.transport.tuple.localAddress, this.worker.clock);
    const srtpParameters = srtp as types.SrtpParameters;
    await whileOpen(this.transport.connect({ ip, port, srtpParameters }), this.transport);
  }

  async send(track: PublishedTrack): Promise<MediasoupTrackPipe> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    const consumer = await whileOpen(track.sendThrough(this.transport), this.transport);
    return new MediasoupTrackPipe(track, consumer);
  }

  /** Does not observe the track's health: the publisher's node does that. */
  async receive({ trackID, kind, codec, encodingIDs, paused, rtpParameters }: PipedTrack): Promise<MediasoupTrack> {
    const { transport, router } = this;
    const { clock } = this.worker;
    const encodings = encodingIDs.map(rid => ({ rid }));
    const offer = { codecs: [codec], headerExtensions: [], encodings, rtcp: {} };
    const received = { trackID, rtpParameters: rtpParameters as types.RtpParameters, isObserved: false };
    const options = { transport, router, clock, kind, offer, candidates: [codec], ...received };
    const track = await whileOpen(MediasoupTrack.publish(options), transport);
    if (this.ending.isOver) {
      track.closeNow();
      throw closedError();
    }
    this.received.add(track);
    track.onEnded(() => this.received.delete(track));
    if (paused) await track.pause();
    return track;
  }

  onClosed(listener: () => void): void {
    this.ending.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    this.ending.run(() => {
      for (const track of [...this.received]) track.closeNow();
      this.transport.close();
    });
  }
}

import type { types } from 'mediasoup';
import type { FeedDestination, FeedTrack, PipeEnd, PipedTrack, RtpDescription } from '@rtms/contracts';
import { Listeners } from '../listeners.js';
import { closedError, type MediaFeed, type PublishedTrack, type RoomPipe, type TrackPipe } from '../media-engine.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { toFeedCapabilities } from './rtp-mapping.js';
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
  private readonly closing = new Listeners<[]>();
  private isClosed = false;

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
    await this.whileOpen(this.transport.connect({ ip, port, srtpParameters: srtp as types.SrtpParameters }));
  }

  async send(track: PublishedTrack): Promise<MediasoupTrackPipe> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    return new MediasoupTrackPipe(track, await this.whileOpen(track.sendThrough(this.transport)));
  }

  /** Does not observe the track's health: the publisher's node does that. */
  async receive({ trackID, kind, codec, encodingIDs, paused, rtpParameters }: PipedTrack): Promise<MediasoupTrack> {
    const { transport, router } = this;
    const { clock } = this.worker;
    const encodings = encodingIDs.map(rid => ({ rid }));
    const offer = { codecs: [codec], headerExtensions: [], encodings, rtcp: {} };
    const received = { trackID, rtpParameters: rtpParameters as types.RtpParameters, isObserved: false };
    const publishing = MediasoupTrack.publish({
      transport,
      router,
      clock,
      kind,
      offer,
      candidates: [codec],
      ...received,
    });
    const track = await this.whileOpen(publishing);
    if (this.isClosed) {
      track.closeNow();
      throw closedError();
    }
    this.received.add(track);
    track.onEnded(() => this.received.delete(track));
    if (paused) await track.pause();
    return track;
  }

  onClosed(listener: () => void): void {
    if (this.isClosed) listener();
    else this.closing.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const track of [...this.received]) track.closeNow();
    this.transport.close();
    this.closing.emit();
    this.closing.clear();
  }

  private async whileOpen<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.isClosed ? closedError() : error;
    }
  }
}

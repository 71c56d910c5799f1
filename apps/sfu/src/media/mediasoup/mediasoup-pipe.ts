import type { types } from 'mediasoup';
import type { PipedTrack, PipeEnd, RtpDescription } from '@rtms/contracts';
import { Listeners } from '../listeners.js';
import { closedError } from '../media-errors.js';
import type { PublishedTrack, RoomPipe, TrackPipe } from '../media-engine.js';
import type { MediaWorker } from './media-worker.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { resolveAddress } from './resolve-address.js';

/** What one track is sent through: a consumer that carries all of its layers. */
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

/** A pipe transport: retransmits what gets lost, and is encrypted, as it may leave the machine. */
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

  /** Nothing is looked for in it: that happens where it is published. */
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

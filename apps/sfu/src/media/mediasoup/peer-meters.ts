import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import type { TransportState } from '../media-engine.js';
import {
  type ClientRole,
  type ConnectionOutcome,
  type Direction,
  type MediaStatistics,
  ReadingRounds,
  StreamMeter,
  type StreamReading,
} from '../media-statistics.js';

/** The meters of all peer connections of a node. */
export class PeerMeters {
  private readonly rounds: ReadingRounds;

  constructor(
    private readonly statistics: MediaStatistics,
    private readonly clock: Clock,
  ) {
    this.rounds = new ReadingRounds(clock);
  }

  /** Measures a transport until it closes. */
  follow(transport: types.WebRtcTransport, role: ClientRole): PeerMeter {
    return new PeerMeter(transport, role, this.statistics, this.rounds, this.clock);
  }

  close(): void {
    this.rounds.close();
  }
}

/** A client that leaves earlier has not waited for ICE and DTLS. The SFU closes viewers that do not connect after 5 s. */
const failsAfterMs = 4_000;

type TrackStat = types.ProducerStat | types.ConsumerStat;

/** Reads and counts a track. Returns its streams; none after the track or its worker has closed. */
type TrackReader = () => Promise<TrackStat[]>;

/** Counts one client's connection and media. */
export class PeerMeter {
  /** By id of the track. */
  private readonly readers = new Map<string, TrackReader>();
  private readonly openedAt: number;
  private connectingSince: number | undefined;
  private outcome: ConnectionOutcome | undefined;
  private hasStarted = false;

  constructor(
    private readonly transport: types.WebRtcTransport,
    private readonly role: ClientRole,
    private readonly statistics: MediaStatistics,
    private readonly rounds: ReadingRounds,
    private readonly clock: Clock,
  ) {
    this.openedAt = clock.now();
    transport.observer.on('newproducer', producer => {
      producer.observer.once('close', this.read(producer, 'received'));
    });
    transport.observer.on('newconsumer', consumer => {
      consumer.observer.once('close', this.read(consumer, 'sent'));
    });
  }

  /** The client's DTLS parameters have come, so ICE and DTLS begin. */
  onConnecting(): void {
    this.connectingSince ??= this.clock.now();
  }

  onState(state: TransportState): void {
    if (state === 'connected') this.conclude('connected');
    if (state !== 'lost') return;
    if (this.outcome === 'connected') this.statistics.losses[this.role] += 1;
    // The client may end the handshake first; then the worker reports DTLS as closed instead of failed.
    else this.conclude('dtls_failed');
  }

  /** All tracks have received RTP, or the viewer's first picture is sent. */
  onMedia(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.statistics.onStarted.emit(this.role, (this.clock.now() - this.openedAt) / 1000);
  }

  /** Waits for the first keyframe that is sent, or for the first packet without video. Call it before the tracks resume. */
  awaitMedia(consumers: readonly types.Consumer[]): void {
    const consumer = consumers.find(({ kind }) => kind === 'video') ?? consumers[0];
    if (!consumer || this.hasStarted) return;
    consumer.once('trace', () => {
      this.onMedia();
      void consumer.enableTraceEvent([]).catch(() => undefined);
    });
    void consumer.enableTraceEvent([consumer.kind === 'video' ? 'keyframe' : 'rtp']).catch(() => undefined);
  }

  /** The counters of a viewer's track for a sample. The reading also counts for the node, so that its rounds skip the track. */
  async sample(consumer: types.Consumer): Promise<TrackStat | undefined> {
    const reader = this.readers.get(consumer.id);
    if (!reader) return undefined;
    this.rounds.postpone(reader);
    return (await reader())[0];
  }

  /** Call it before the transport closes: afterwards the worker has no counters. */
  beforeClose(): void {
    for (const reader of this.readers.values()) this.rounds.readLast(reader);
    this.readers.clear();
    if (this.connectingSince !== undefined) this.conclude(this.failure(this.connectingSince));
  }

  /** Returns a function that ends the readings. */
  private read(track: types.Producer | types.Consumer, direction: Direction): () => void {
    const meter = new StreamMeter(this.statistics, direction, track.kind);
    const type = direction === 'sent' ? 'outbound-rtp' : 'inbound-rtp';
    const reader: TrackReader = async () => {
      // A rejection means that the track or its worker has closed.
      const stats: readonly TrackStat[] = await track.getStats().catch(() => []);
      // A consumer also reports the stream of its producer.
      const own = stats.filter(stream => stream.type === type);
      if (own.length > 0) meter.add(own.map(readingOf));
      return own;
    };
    this.readers.set(track.id, reader);
    this.rounds.add(reader);
    return () => {
      this.readers.delete(track.id);
      this.rounds.remove(reader);
    };
  }

  private conclude(outcome: ConnectionOutcome): void {
    if (this.outcome) return;
    this.outcome = outcome;
    this.statistics.connections[this.role][outcome] += 1;
  }

  private failure(since: number): ConnectionOutcome {
    const { iceState, dtlsState } = this.transport;
    if (dtlsState === 'failed') return 'dtls_failed';
    if (this.clock.now() - since < failsAfterMs) return 'cancelled';
    return iceState === 'connected' || iceState === 'completed' ? 'dtls_failed' : 'ice_failed';
  }
}

/** RTCP reports the fraction of lost packets in 256ths (RFC 3550 section 6.4.1). */
const lossUnits = 256;

function readingOf(stream: TrackStat): StreamReading {
  return {
    ssrc: stream.ssrc,
    bytes: stream.byteCount,
    packets: stream.packetCount,
    packetsLost: stream.packetsLost,
    packetsRetransmitted: stream.packetsRetransmitted,
    nacks: stream.nackCount,
    keyframeRequests: stream.pliCount + stream.firCount,
    lossRatio: stream.fractionLost / lossUnits,
    ...(stream.roundTripTime !== undefined && { roundTripSeconds: stream.roundTripTime / 1000 }),
  };
}

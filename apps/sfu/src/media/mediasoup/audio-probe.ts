import type { types } from 'mediasoup';

/** Long enough for ten packets of the longest Opus frames; the worker says nothing of fewer. */
const levelIntervalMs = 1_500;

export interface AudioListener {
  /** dBov, of a moment. */
  onLevel(level: number): void;
  onTimestamp(rtpTimestamp: number): void;
}

/** What mediasoup tells of an audio track beside its counters: levels, and now and then a timestamp. */
export class AudioProbe {
  private observer: types.AudioLevelObserver | undefined;
  private isAwaitingPacket = false;
  private closed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly listener: AudioListener,
  ) {
    producer.on('trace', event => this.onTrace(event));
  }

  /** Levels come from publishers that send them (RFC 6464); of others nothing is heard. */
  async openLevels(): Promise<void> {
    const extensions = this.producer.rtpParameters.headerExtensions ?? [];
    if (!extensions.some(({ uri }) => uri.endsWith(':ssrc-audio-level'))) return;
    const options = { maxEntries: 1, threshold: -127, interval: levelIntervalMs };
    const observer = await this.router.createAudioLevelObserver(options);
    this.observer = observer;
    if (this.closed) return observer.close();
    observer.on('volumes', ([loudest]) => loudest && this.listener.onLevel(loudest.volume));
    await observer.addProducer({ producerId: this.producer.id });
  }

  /** The next packet is looked at; to look at all would be dear. */
  askForTimestamp(): void {
    if (this.closed || this.isAwaitingPacket) return;
    this.isAwaitingPacket = true;
    void this.producer.enableTraceEvent(['rtp']).catch(() => undefined);
  }

  close(): void {
    this.closed = true;
    this.observer?.close();
  }

  private onTrace({ type, info }: types.ProducerTraceEventData): void {
    if (!this.isAwaitingPacket || type !== 'rtp') return;
    this.isAwaitingPacket = false;
    void this.producer.enableTraceEvent([]).catch(() => undefined);
    const timestamp = tracedPacket(info).timestamp;
    if (timestamp !== undefined) this.listener.onTimestamp(timestamp);
  }
}

interface TracedPacket {
  ssrc?: number;
  timestamp?: number;
}

/** The packet that a trace event is about. */
export function tracedPacket(info: unknown): TracedPacket {
  const traced = info as { rtpPacket?: TracedPacket } & TracedPacket;
  return traced.rtpPacket ?? traced;
}

import { randomInt } from 'node:crypto';
import type { MediaKind, PreferredLayers, ReceiverCapabilities, RtpCodec, RtpParameters } from '@rtms/contracts';
import { engineCapabilities } from '../codecs.js';
import { Listeners } from '../listeners.js';
import { closedError, type MeasuredViewer, type SentTrack, type ViewerTransport } from '../media-engine.js';
import { type PayloadNumbers, receivableWith } from '../payload-numbers.js';
import type { MemoryTrack } from './memory-publisher.js';
import { MemoryPeerTransport } from './memory-transport.js';

export class MemorySentTrack implements SentTrack {
  started = false;
  closed = false;
  preferred: PreferredLayers | undefined;
  private readonly layersChange = new Listeners<[PreferredLayers | undefined]>();

  constructor(
    readonly source: MemoryTrack,
    readonly kind: MediaKind,
    readonly rtpParameters: RtpParameters,
    private readonly onClosed: (track: MemorySentTrack) => void,
  ) {}

  get trackID(): string {
    return this.source.trackID;
  }

  get layers(): SentTrack['layers'] {
    return this.source.layers;
  }

  async prefer(layers: PreferredLayers | undefined): Promise<void> {
    this.preferred = layers;
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.layersChange.add(listener);
  }

  /** Other layers arrive at the viewer. */
  arrive(layers: PreferredLayers | undefined): void {
    this.layersChange.emit(layers);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.onClosed(this);
  }
}

function parametersFor(capabilities: ReceiverCapabilities, codecs: RtpCodec[]): RtpParameters {
  const ssrc = randomInt(1, 2 ** 31);
  const known = engineCapabilities.headerExtensions[capabilities.kind];
  return {
    mid: capabilities.mid,
    codecs,
    headerExtensions: capabilities.headerExtensions.filter(extension =>
      known.some(ours => ours.uri === extension.uri && ours.id === extension.id),
    ),
    encodings: [codecs.length > 1 ? { ssrc, rtx: { ssrc: ssrc + 1 } } : { ssrc }],
    rtcp: { cname: 'memory', reducedSize: true },
  };
}

export class MemoryViewer extends MemoryPeerTransport implements ViewerTransport {
  readonly sent = new Set<MemorySentTrack>();

  /** A test sets totals of the viewer. */
  readonly measured: Partial<MeasuredViewer> = {};

  constructor(
    onClosed: () => void,
    private readonly reserve: (count: number) => void,
    readonly numbers?: PayloadNumbers,
  ) {
    super(onClosed);
  }

  async send(track: MemoryTrack, capabilities: ReceiverCapabilities): Promise<MemorySentTrack | undefined> {
    this.assertOpen();
    if (track.closed) throw closedError();
    const codecs = track.kind === capabilities.kind ? receivableWith(this.numbers, capabilities, track.codec) : [];
    if (codecs.length === 0) return undefined;
    await this.replaced(track.kind, capabilities.mid)?.close();
    return this.add(track, parametersFor(capabilities, codecs));
  }

  async start(): Promise<void> {
    this.assertOpen();
    const prepared = [...this.sent].filter(sent => !sent.started);
    for (const sent of prepared) sent.started = true;
    for (const sent of prepared) await sent.source.requestKeyframe();
  }

  async measure(): Promise<MeasuredViewer | undefined> {
    const started = [...this.sent].filter(sent => sent.started);
    const sent = started.find(({ kind }) => kind === 'video') ?? started[0];
    if (!sent) return undefined;
    return {
      ...{ trackID: sent.trackID, packets: sent.source.packets, lost: 0, retransmitted: 0, bytes: 0, layer: null },
      ...{ keyframeRequests: 0, roundTripMs: null, heardBytes: 0, workerUsage: 0, network: '192.0.2.1' },
      ...this.measured,
    };
  }

  override async close(): Promise<void> {
    for (const sent of this.sent) await sent.close();
    await super.close();
  }

  private replaced(kind: MediaKind, mid: string): MemorySentTrack | undefined {
    return [...this.sent].find(sent => sent.kind === kind && sent.rtpParameters.mid === mid);
  }

  private add(track: MemoryTrack, rtpParameters: RtpParameters): MemorySentTrack {
    this.reserve(1);
    let unfollow = (): void => undefined;
    const sent = new MemorySentTrack(track, track.kind, rtpParameters, closed => {
      unfollow();
      this.sent.delete(closed);
      this.reserve(-1);
    });
    this.sent.add(sent);
    unfollow = track.onEnded(() => void sent.close());
    return sent;
  }
}

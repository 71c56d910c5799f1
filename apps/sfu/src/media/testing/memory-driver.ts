import type { MediaKind, ReceiverCapabilities, RtpCodec, RtpParameters } from '@rtms/contracts';
import type { ManualClock } from '@rtms/testing';
import type { Timer } from '@rtms/clock';
import type { PublishedTrack, PublisherTransport, SentTrack, ViewerTransport } from '../media-engine.js';
import { MemoryPublisher } from '../memory/memory-publisher.js';
import { type MemorySentTrack, MemoryViewer } from '../memory/memory-viewer.js';
import { engineCapabilities, opus } from '../codecs.js';
import { becomes } from './media-scene.js';
import type { PeerDriver, PublishOptions, PublishingPeer, ViewOptions, ViewingPeer } from './media-peer.js';

const remote = { role: 'client' as const, fingerprints: [{ algorithm: 'sha-256', value: 'AB' }] };

/** Milliseconds between two packets. */
const packetMs = 20;

/** Plays peers through the controls of the memory engine. Media flows while the clock moves. */
export class MemoryDriver implements PeerDriver {
  private readonly timers = new Set<Timer>();

  /** `viewerOf`: the viewer of the engine that a transport stands for. */
  constructor(
    private readonly clock: ManualClock,
    private readonly viewerOf: (transport: ViewerTransport) => MemoryViewer = transport => {
      if (!(transport instanceof MemoryViewer)) throw new TypeError('The transport is of another engine.');
      return transport;
    },
  ) {}

  async publish(transport: PublisherTransport, options: PublishOptions = {}): Promise<PublishingPeer> {
    if (!(transport instanceof MemoryPublisher)) throw new TypeError('The transport is of another engine.');
    await transport.publish('audio', offered(engineCapabilities.codecs.audio));
    await transport.publish('video', offered([offeredVideo(options)]));
    await transport.connect(remote);
    transport.peerConnects();
    let timer: Timer | undefined;
    const { tracks } = transport;
    const keyframeRequests = (): number => tracks.reduce((sum, track) => sum + track.keyframeRequests, 0);
    return {
      tracks,
      sendMedia: () => {
        timer ??= this.clock.every(packetMs, () => tracks.forEach(track => track.receiveRtp()));
        this.timers.add(timer);
      },
      stopMedia: () => timer?.cancel(),
      sends: () => this.clock.advance(packetMs),
      keyframeRequests,
      nextKeyframeRequest: async () => {
        const before = keyframeRequests();
        await this.clock.advance(0);
        if (keyframeRequests() === before) throw new Error('No keyframe was requested.');
      },
      vanish: async () => {
        timer?.cancel();
        transport.peerVanishes();
      },
    };
  }

  async view(transport: ViewerTransport, tracks: PublishedTrack[], options: ViewOptions = {}): Promise<ViewingPeer> {
    const viewer = this.viewerOf(transport);
    const capabilities = (['audio', 'video'] as const).map(kind => viewerCapabilities(kind, options));
    const sent: SentTrack[] = [];
    for (const section of capabilities) {
      const track = tracks.find(candidate => candidate.kind === section.kind);
      const one = track && (await transport.send(track, section));
      if (!one) throw new Error(`The viewer cannot be sent ${section.kind}.`);
      sent.push(one);
    }
    await transport.connect(remote);
    viewer.peerConnects();
    await becomes(transport, 'connected');
    const received = this.count(viewer);
    return {
      sent,
      capabilities,
      received: kind => received[kind],
      arrives: async kind => {
        const wanted = received[kind] + 5;
        await this.clock.advance(5 * packetMs);
        if (received[kind] < wanted) throw new Error(`No ${kind} arrives.`);
      },
      payloadTypes: kind =>
        sent.filter(one => one.kind === kind).map(one => one.rtpParameters.codecs[0]?.payloadType ?? -1),
    };
  }

  async close(): Promise<void> {
    for (const timer of this.timers) timer.cancel();
  }

  /** Counts the packets of the tracks that the viewer is sent. */
  private count(viewer: MemoryViewer): Record<MediaKind, number> {
    const received = { audio: 0, video: 0 };
    const counted = new Map<MemorySentTrack, number>();
    const look = (): void => {
      for (const sent of viewer.sent) {
        const { packets, paused } = sent.source;
        if (sent.started && !paused) received[sent.kind] += packets - (counted.get(sent) ?? packets);
        counted.set(sent, packets);
      }
    };
    look();
    this.timers.add(this.clock.every(packetMs, look));
    return received;
  }
}

function offered(codecs: RtpCodec[]): RtpParameters {
  return { mid: '0', codecs, headerExtensions: [], encodings: [{ ssrc: 1 }], rtcp: {} };
}

function offeredVideo({ video, feedback = true }: PublishOptions): RtpCodec {
  const { payloadType = 96, codec = 'VP8', profile } = video ?? {};
  const rtcpFeedback = feedback ? [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }] : [];
  const parameters = { ...(profile !== undefined && { 'packetization-mode': 1, 'profile-level-id': profile }) };
  return { mimeType: `video/${codec}`, payloadType, clockRate: 90000, parameters, rtcpFeedback };
}

function viewerCapabilities(kind: MediaKind, { audio, video }: ViewOptions): ReceiverCapabilities {
  const ownAudio = audio === undefined ? undefined : [{ ...opus, payloadType: audio }];
  const ownVideo = video && [offeredVideo({ video }), ...rtxOf(video)];
  const own = kind === 'audio' ? ownAudio : ownVideo;
  return { kind, mid: kind, codecs: own ?? engineCapabilities.codecs[kind], headerExtensions: [] };
}

function rtxOf({ rtx, payloadType }: NonNullable<ViewOptions['video']>): RtpCodec[] {
  if (rtx === undefined) return [];
  const parameters = { apt: payloadType };
  return [{ mimeType: 'video/rtx', payloadType: rtx, clockRate: 90_000, parameters, rtcpFeedback: [] }];
}

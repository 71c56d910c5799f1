import type { MediaKind } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import type { PublishedTrack, PublisherTransport, SentTrack, ViewerTransport } from '../media-engine.js';
import { MemoryPublisher } from '../memory/memory-publisher.js';
import { MemoryViewer } from '../memory/memory-viewer.js';
import { engineCapabilities, opus } from '../engine-codecs.js';
import type { ReceiverCapabilities, RtpCodec, RtpParameters } from '../rtp-parameters.js';
import type { PeerDriver, PublishingPeer, PublishOptions, ViewingPeer, ViewOptions } from './media-peer.js';

const remote = { role: 'client' as const, fingerprints: [{ algorithm: 'sha-256', value: 'AB' }] };

/** Plays peers through the controls of the memory engine. */
export class MemoryDriver implements PeerDriver {
  private readonly timers = new Set<NodeJS.Timeout>();

  /** `viewerOf`: the viewer of the engine that a transport stands for. */
  constructor(
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
    let timer: NodeJS.Timeout | undefined;
    const { tracks } = transport;
    return {
      tracks,
      sendMedia: () => {
        timer ??= setInterval(() => tracks.forEach(track => track.receiveRtp()), 20);
        this.timers.add(timer);
      },
      stopMedia: () => clearInterval(timer),
      keyframeRequests: () => tracks.reduce((sum, track) => sum + track.keyframeRequests, 0),
      vanish: async () => {
        clearInterval(timer);
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
    await waitFor(() => transport.state === 'connected', { what: 'the viewer to be connected' });
    return {
      sent,
      capabilities,
      received: kind => packetsOf(viewer, kind),
      payloadTypes: kind =>
        sent.filter(one => one.kind === kind).map(one => one.rtpParameters.codecs[0]?.payloadType ?? -1),
    };
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
  }
}

/** Counts as one packet each look at a started track whose publisher sends. */
function packetsOf(viewer: MemoryViewer, kind: MediaKind): number {
  const flowing = [...viewer.sent].filter(
    sent => sent.kind === kind && sent.started && !sent.source.paused && sent.source.lastReceivedAt() !== undefined,
  );
  return flowing.reduce((sum, sent) => sum + sent.source.packets, 0);
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

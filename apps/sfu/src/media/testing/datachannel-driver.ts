import ndc from 'node-datachannel';
import type { Track } from 'node-datachannel';
import type { MediaKind } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { buildAnswer, remoteDtlsRole, answeredSetup } from '../../sdp/build-answer.js';
import { answerPublished, answerViewed } from '../../sdp/answer-sections.js';
import { parseOffer } from '../../sdp/parse-offer.js';
import { toPublishedSections } from '../../sdp/publish-parameters.js';
import { toViewedSections } from '../../sdp/receiver-capabilities.js';
import type { PublishedTrack, PublisherTransport, ViewerTransport } from '../media-engine.js';
import type { PeerDriver, PublishingPeer, PublishOptions, ViewingPeer } from './media-peer.js';
import { countKeyframeRequests, h264Payload, isRtcp, RtpSource, vp8Payload } from './rtp-source.js';

let serial = 0;

type NativePeer = InstanceType<typeof ndc.PeerConnection>;

function newConnection(role: string): NativePeer {
  return new ndc.PeerConnection(`${role}-${++serial}`, { iceServers: [], forceMediaTransport: true });
}

async function offerOf(connection: NativePeer): Promise<string> {
  connection.setLocalDescription('offer');
  await waitFor(() => connection.gatheringState() === 'complete', { what: 'candidates are gathered' });
  return connection.localDescription()?.sdp ?? '';
}

async function connected(connection: NativePeer): Promise<void> {
  await waitFor(() => connection.state() === 'connected', { what: 'the peer is connected' });
}

/** Real ICE, DTLS and SRTP by libdatachannel; the media are made up. */
export class DatachannelDriver implements PeerDriver {
  async publish(transport: PublisherTransport, options: PublishOptions = {}): Promise<PublishingPeer> {
    const { payloadType, codec, profile } = {
      payloadType: 96,
      codec: 'VP8' as const,
      profile: undefined,
      ...options.video,
    };
    const connection = newConnection('publisher');
    const [audioSsrc, videoSsrc] = [1000 + serial * 10, 1001 + serial * 10];
    const audio = new ndc.Audio('0', 'SendOnly');
    audio.addOpusCodec(111, 'minptime=10;useinbandfec=1');
    audio.addSSRC(audioSsrc, 'peer', 'stream', 'audio');
    const video = new ndc.Video('1', 'SendOnly');
    if (codec === 'H264')
      video.addH264Codec(payloadType, `packetization-mode=1;level-asymmetry-allowed=1;profile-level-id=${profile}`);
    else
      profile === undefined
        ? video.addVideoCodec(payloadType, codec)
        : video.addVideoCodec(payloadType, codec, profile);
    video.addSSRC(videoSsrc, 'peer', 'stream', 'video');
    const [audioTrack, videoTrack] = [connection.addTrack(audio), connection.addTrack(video)];
    let keyframeRequests = 0;
    videoTrack.onMessage(packet => {
      if (isRtcp(packet)) keyframeRequests += countKeyframeRequests(packet);
    });

    const offer = parseOffer(await offerOf(connection));
    const published = toPublishedSections(offer, ['audio', 'video']);
    const tracks: PublishedTrack[] = [];
    for (const { section, rtpParameters } of published)
      tracks.push(await transport.publish(section.kind, rtpParameters));
    await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
    const { ice, fingerprints } = transport;
    const answer = buildAnswer(published.map(answerPublished), {
      ice,
      fingerprints,
      setup: answeredSetup(offer.setup),
    });
    connection.setRemoteDescription(answer, 'answer');
    await connected(connection);

    const sources = {
      audio: new RtpSource({ payloadType: 111, ssrc: audioSsrc, clockRate: 48000, packetsPerSecond: 50 }),
      video: new RtpSource({ payloadType, ssrc: videoSsrc, clockRate: 90000, packetsPerSecond: 50 }),
    };
    let timer: NodeJS.Timeout | undefined;
    let frames = 0;
    const stopMedia = (): void => clearInterval(timer);
    const videoPayload = (key: boolean): Buffer =>
      codec === 'H264' ? h264Payload(key ? 'key' : 'p', profile) : vp8Payload(key);
    const close = async (): Promise<void> => {
      stopMedia();
      connection.close();
    };
    return {
      tracks,
      sendMedia: () => {
        timer ??= setInterval(() => {
          if (connection.state() !== 'connected') return;
          send(audioTrack, sources.audio.next(Buffer.alloc(80, 1)));
          send(videoTrack, sources.video.next(videoPayload(frames++ % 50 === 0)));
        }, 20);
      },
      stopMedia,
      keyframeRequests: () => keyframeRequests,
      vanish: close,
      close,
    };
  }

  async view(transport: ViewerTransport, tracks: PublishedTrack[]): Promise<ViewingPeer> {
    const connection = newConnection('viewer');
    const received = { audio: 0, video: 0 };
    const audio = new ndc.Audio('0', 'RecvOnly');
    audio.addOpusCodec(111, 'minptime=10;useinbandfec=1');
    const video = new ndc.Video('1', 'RecvOnly');
    video.addVideoCodec(96, 'VP8');
    video.addRTXCodec(97, 96, 90000);
    for (const [pt, profile] of [
      [102, '42001f'],
      [108, '42e01f'],
      [116, '4d001f'],
    ] as const) {
      video.addH264Codec(pt, `packetization-mode=1;level-asymmetry-allowed=1;profile-level-id=${profile}`);
    }
    const count = (kind: MediaKind, track: Track): void => {
      track.setMediaHandler(new ndc.RtcpReceivingSession());
      track.onMessage(packet => {
        if (!isRtcp(packet)) received[kind]++;
      });
    };
    count('audio', connection.addTrack(audio));
    count('video', connection.addTrack(video));

    const offer = parseOffer(await offerOf(connection));
    const answered = [];
    const sentTracks = [];
    for (const view of toViewedSections(
      offer,
      tracks.map(track => track.kind),
    )) {
      const track = tracks.find(candidate => candidate.kind === view.section.kind);
      const sent = track && view.capabilities && (await transport.send(track, view.capabilities));
      if (!sent) throw new Error(`The viewer cannot be sent ${view.section.kind}.`);
      sentTracks.push(sent);
      answered.push(answerViewed(view, sent, 'stream'));
    }
    await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
    const { ice, fingerprints } = transport;
    connection.setRemoteDescription(
      buildAnswer(answered, { ice, fingerprints, setup: answeredSetup(offer.setup) }),
      'answer',
    );
    await connected(connection);
    await waitFor(() => transport.state === 'connected', { what: 'the viewer transport is connected' });
    return {
      sent: sentTracks,
      received: kind => received[kind],
      close: async () => connection.close(),
    };
  }
}

/** Between the state and the native call the peer may have closed. */
function send(track: Track, packet: Buffer): void {
  if (track.isOpen()) track.sendMessageBinary(packet);
}

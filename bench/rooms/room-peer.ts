import { setTimeout as pause } from 'node:timers/promises';
import type {
  MemberTransportParameters,
  SocketCommandName,
  SocketCommands,
  SubscriptionParameters,
} from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { trySend } from '@rtms/whip-publisher';
import ndc from 'node-datachannel';
import {
  type AnsweredSection,
  answeredSetup,
  type AnswerTransport,
  buildAnswer,
  remoteDtlsRole,
} from '../../apps/sfu/src/signalling/sdp/build-answer.js';
import { parseOffer } from '../../apps/sfu/src/signalling/sdp/parse-offer.js';
import { SimulcastSource } from './simulcast-source.js';

/** The service's socket, or its substitute for a bare room. */
export type Ask = <Name extends SocketCommandName>(
  name: Name,
  request: SocketCommands[Name]['request'],
) => Promise<SocketCommands[Name]['reply']>;

/** A connection may send 20 commands a second for long. */
const commandPauseMs = 60;

/** A member with real ICE, DTLS and SRTP that publishes packets without media and decodes nothing. */
export class RoomPeer {
  private readonly source = new SimulcastSource();
  private readonly connections: ndc.PeerConnection[] = [];
  private readonly tracks: ndc.Track[] = [];
  private timer: NodeJS.Timeout | undefined;
  private codecs: Codec[] = [];
  /** RTP packets received; the one section of the receiving connection takes those of all subscriptions. */
  counted = 0;
  /** UDP port of the server's media worker. */
  mediaPort = 0;

  constructor(private readonly ask: Ask) {}

  /** Publishes a microphone and a camera; answers their ids. */
  async publish(): Promise<string[]> {
    const [audio, video] = [new ndc.Audio('0', 'SendOnly'), new ndc.Video('1', 'SendOnly')];
    audio.addOpusCodec(111);
    video.addVideoCodec(96, 'VP8');
    for (const ssrc of this.source.ssrcs('audio')) audio.addSSRC(ssrc, 'room', 'room', 'audio');
    for (const ssrc of this.source.ssrcs('video')) video.addSSRC(ssrc, 'room', 'room', 'video');
    const { routerRtpCapabilities } = await this.ask('media.open', {});
    this.codecs = receivable(routerRtpCapabilities['codecs'] as Codec[]);
    const parameters = await this.ask('media.openTransport', { direction: 'send' });
    const { tracks, transportID } = await this.negotiate(parameters, [audio, video]);
    const trackIDs: string[] = [];
    for (const [source, kind, mid] of [
      ['microphone', 'audio', '0'],
      ['camera', 'video', '1'],
    ] as const) {
      const rtpParameters = this.source.rtpParameters(kind, mid);
      trackIDs.push((await this.ask('media.publish', { transportID, source, rtpParameters })).trackID);
    }
    this.startSending(tracks);
    return trackIDs;
  }

  /** Subscribes to all. */
  async watch(trackIDs: readonly string[]): Promise<void> {
    const rtpCapabilities = { codecs: this.codecs, headerExtensions: [] };
    const parameters = await this.ask('media.openTransport', { direction: 'receive' });
    const { transportID } = parameters;
    const subscriptions: SubscriptionParameters[] = [];
    for (const trackID of trackIDs) {
      subscriptions.push(await this.ask('media.subscribe', { transportID, trackID, rtpCapabilities }));
      await pause(commandPauseMs);
    }
    const section = new ndc.Video('0', 'RecvOnly');
    section.addVideoCodec(96, 'VP8');
    const { tracks } = await this.negotiate(parameters, [section], ssrcOf(subscriptions.at(-1)));
    tracks[0]?.onMessage(packet => this.count(packet));
    for (const { subscriptionID } of subscriptions) {
      await this.ask('media.updateSubscription', { subscriptionID, paused: false });
      await pause(commandPauseMs);
    }
  }

  close(): void {
    clearInterval(this.timer);
    for (const connection of this.connections) connection.close();
  }

  private count(packet: Buffer): void {
    const type = packet.readUInt8(1);
    if (type < 192 || type > 223) this.counted++; // else RTCP (RFC 5761 section 4)
  }

  private async negotiate(
    parameters: MemberTransportParameters,
    sections: (ndc.Audio | ndc.Video)[],
    receivedSsrc?: number,
  ): Promise<Negotiated> {
    const connection = new ndc.PeerConnection('member', { iceServers: [], forceMediaTransport: true });
    this.connections.push(connection);
    const tracks = sections.map(section => connection.addTrack(section));
    this.tracks.push(...tracks);
    connection.setLocalDescription('offer');
    await waitFor(() => connection.gatheringState() === 'complete', { what: 'a member’s candidates' });
    const offer = parseOffer(connection.localDescription()?.sdp ?? '');
    const dtlsParameters = { role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints };
    const { transportID } = parameters;
    await this.ask('media.connectTransport', { transportID, dtlsParameters });
    const answered = offer.sections.map((section): AnsweredSection => ({
      section,
      direction: receivedSsrc === undefined ? 'recvonly' : 'sendonly',
      codecs: section.codecs,
      headerExtensions: [],
      ...(receivedSsrc !== undefined && { ssrc: { media: receivedSsrc, cname: 'room' } }),
    }));
    connection.setRemoteDescription(buildAnswer(answered, answerTransport(parameters, offer.setup)), 'answer');
    await waitFor(() => connection.state() === 'connected', { what: 'a member to be connected' });
    this.mediaPort = answerTransport(parameters, offer.setup).ice.candidates[0]?.port ?? 0;
    return { tracks, transportID };
  }

  /** By the clock, so that a late timer does not lower the rate. */
  private startSending([audio, video]: ndc.Track[]): void {
    const startedAt = performance.now();
    this.timer = setInterval(() => {
      for (const { kind, packet } of this.source.due((performance.now() - startedAt) / 1000)) {
        const track = kind === 'audio' ? audio : video;
        if (track) trySend(track, packet);
      }
    }, 20);
  }
}

interface Negotiated {
  tracks: ndc.Track[];
  transportID: string;
}

interface Codec {
  mimeType: string;
  rtcpFeedback?: { type: string; parameter?: string }[];
}

/** Opus and VP8 without bandwidth estimation, which would choose layers by the load of the machine. */
function receivable(codecs: readonly Codec[]): Codec[] {
  return codecs
    .filter(({ mimeType }) => ['audio/opus', 'video/vp8'].includes(mimeType.toLowerCase()))
    .map(codec => ({ ...codec, rtcpFeedback: codec.rtcpFeedback?.filter(({ type }) => type === 'nack') ?? [] }));
}

function ssrcOf(subscription: SubscriptionParameters | undefined): number {
  const encodings = subscription?.rtpParameters['encodings'] as { ssrc?: number }[] | undefined;
  return encodings?.[0]?.ssrc ?? 0;
}

function answerTransport(
  { iceParameters, iceCandidates, dtlsParameters }: MemberTransportParameters,
  offered: Parameters<typeof answeredSetup>[0],
): AnswerTransport {
  const { usernameFragment, password } = iceParameters as { usernameFragment: string; password: string };
  const candidates = iceCandidates as unknown as AnswerTransport['ice']['candidates'];
  const { fingerprints } = dtlsParameters as unknown as Pick<AnswerTransport, 'fingerprints'>;
  const udp = candidates.filter(({ protocol }) => protocol === 'udp');
  return { ice: { usernameFragment, password, candidates: udp }, fingerprints, setup: answeredSetup(offered) };
}

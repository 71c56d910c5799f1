import ndc, { type Track } from 'node-datachannel';
import { isRtcp } from '@rtms/bitstream';
import type { MediaKind } from '@rtms/contracts';
import { EventLog } from '@rtms/testing';
import { trySend } from '@rtms/whip-publisher';
import type { PublishedTrack, PublisherTransport, ViewerTransport } from '../media-engine.js';
import type {
  OfferedVideo,
  PeerDriver,
  PublishOptions,
  PublishingPeer,
  ViewOptions,
  ViewingPeer,
} from './media-peer.js';
import { becomes } from './media-scene.js';
import { acceptPublisher, acceptViewer } from './negotiate.js';
import { countKeyframeRequests, h264Payload, RtpSource, vp8Payload } from './rtp-source.js';

type NativePeer = InstanceType<typeof ndc.PeerConnection>;

const framesPerSecond = 50;
let serial = 0;

/** Native objects whose callbacks may be pending. If they were collected too early, the process would crash. */
const retained: object[] = [];

/** Real ICE, DTLS and SRTP by libdatachannel, with generated media. */
export class DatachannelDriver implements PeerDriver {
  private readonly open = new Set<DatachannelPublisher | DatachannelViewer>();

  async publish(transport: PublisherTransport, options: PublishOptions = {}): Promise<PublishingPeer> {
    const peer = new DatachannelPublisher(options);
    this.open.add(peer);
    await peer.join(transport);
    return peer;
  }

  async view(transport: ViewerTransport, tracks: PublishedTrack[], options?: ViewOptions): Promise<ViewingPeer> {
    const peer = new DatachannelViewer(options);
    this.open.add(peer);
    await peer.join(transport, tracks);
    return peer;
  }

  /** Closes every peer that a test left open. */
  async close(): Promise<void> {
    for (const peer of this.open) await peer.close();
    this.open.clear();
  }
}

class DatachannelPublisher implements PublishingPeer {
  tracks: PublishedTrack[] = [];
  private readonly connection = newConnection('publisher');
  private readonly native: { audio: Track; video: Track };
  private readonly sources: { audio: RtpSource; video: RtpSource };
  private timer: NodeJS.Timeout | undefined;
  private readonly requests = new EventLog<number>();
  private frames = 0;
  private readonly sent = new EventLog<number>();

  constructor(private readonly options: PublishOptions) {
    const { payloadType = 96 } = options.video ?? {};
    const ssrc = { audio: 1_000 + serial * 2, video: 1_001 + serial * 2 };
    this.native = {
      audio: this.connection.addTrack(audioSection('SendOnly', ssrc.audio)),
      video: this.connection.addTrack(sentVideoSection(options, ssrc.video)),
    };
    retained.push(this.native.audio, this.native.video);
    const packetsPerSecond = framesPerSecond;
    const clockRate = options.videoClockRate ?? 90_000;
    this.sources = {
      audio: new RtpSource({ payloadType: 111, ssrc: ssrc.audio, clockRate: 48_000, packetsPerSecond }),
      video: new RtpSource({ payloadType, ssrc: ssrc.video, clockRate, packetsPerSecond }),
    };
    this.native.video.onMessage(packet => {
      const count = isRtcp(packet) ? countKeyframeRequests(packet) : 0;
      if (count > 0) this.requests.add(count);
    });
  }

  async join(transport: PublisherTransport): Promise<void> {
    const { feedback = true } = this.options;
    const sdp = await offerOf(this.connection);
    const offer = feedback ? sdp : sdp.replace(/a=rtcp-fb:.*\r\n/g, '');
    const { answer, tracks } = await acceptPublisher(transport, offer);
    this.tracks = tracks;
    await connect(this.connection, answer);
    await becomes(transport, 'connected');
  }

  sendMedia(): void {
    if (this.timer) return;
    const [begunAt, before] = [Date.now(), this.frames];
    // Sends all packets that are due. Otherwise a late timer would slow down the clock of the stream.
    this.timer = setInterval(() => {
      const due = before + ((Date.now() - begunAt) * framesPerSecond) / 1000;
      while (this.frames < due) this.sendFrame();
    }, 1000 / framesPerSecond);
  }

  stopMedia(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  async sends(): Promise<void> {
    await this.sent.next();
  }

  keyframeRequests(): number {
    return this.requests.all.reduce((sum, count) => sum + count, 0);
  }

  async nextKeyframeRequest(): Promise<void> {
    await this.requests.next();
  }

  async vanish(): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    this.stopMedia();
    this.connection.close();
  }

  private sendFrame(): void {
    trySend(this.native.audio, this.sources.audio.next(Buffer.alloc(this.options.audioBytes?.() ?? 80, 1)));
    trySend(this.native.video, this.sources.video.next(this.picture()));
    this.sent.add(this.frames);
  }

  private picture(): Buffer {
    const { keyframeInterval = 50, bFrames = false, video } = this.options;
    const frame = this.frames++;
    const isKey = frame % keyframeInterval === 0;
    if (video?.codec !== 'H264') return vp8Payload(isKey);
    return h264Payload(
      isKey ? 'key' : bFrames && frame % 2 ? 'b' : 'p',
      this.options.bitstreamProfile ?? video.profile,
    );
  }
}

class DatachannelViewer implements ViewingPeer {
  sent: ViewingPeer['sent'] = [];
  capabilities: ViewingPeer['capabilities'] = [];
  private readonly connection = newConnection('viewer');
  /** The payload types of the packets that arrived. */
  private readonly packets = { audio: new EventLog<number>(), video: new EventLog<number>() };

  constructor({ audio, video }: ViewOptions = {}) {
    this.count('audio', this.connection.addTrack(audioSection('RecvOnly', undefined, audio)));
    this.count('video', this.connection.addTrack(receivedVideoSection(video)));
  }

  async join(transport: ViewerTransport, tracks: PublishedTrack[]): Promise<void> {
    const { answer, sent, capabilities } = await acceptViewer(transport, await offerOf(this.connection), tracks);
    Object.assign(this, { sent, capabilities });
    await connect(this.connection, answer);
    await becomes(transport, 'connected');
  }

  received(kind: MediaKind): number {
    return this.packets[kind].length;
  }

  async arrives(kind: MediaKind): Promise<void> {
    await this.packets[kind].atLeast(this.packets[kind].length + 5);
  }

  payloadTypes(kind: MediaKind): number[] {
    return [...new Set(this.packets[kind].all)];
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  private count(kind: MediaKind, track: Track): void {
    const receiving = new ndc.RtcpReceivingSession();
    retained.push(track, receiving);
    track.setMediaHandler(receiving);
    track.onMessage(packet => {
      if (!isRtcp(packet)) this.packets[kind].add(packet.readUInt8(1) & 0x7f);
    });
  }
}

function newConnection(role: string): NativePeer {
  const connection = new ndc.PeerConnection(`${role}-${++serial}`, { iceServers: [], forceMediaTransport: true });
  retained.push(connection);
  return connection;
}

function audioSection(
  direction: 'SendOnly' | 'RecvOnly',
  ssrc?: number,
  payloadType = 111,
): InstanceType<typeof ndc.Audio> {
  const section = new ndc.Audio('0', direction);
  section.addOpusCodec(payloadType, 'minptime=10;useinbandfec=1');
  if (ssrc !== undefined) section.addSSRC(ssrc, 'peer', 'stream', 'audio');
  return section;
}

const defaultVideo: OfferedVideo = { payloadType: 96, codec: 'VP8' };

function addCodec(section: InstanceType<typeof ndc.Video>, { codec, payloadType, profile }: OfferedVideo): void {
  if (codec === 'H264') section.addH264Codec(payloadType, h264Parameters(profile ?? '42e01f'));
  else section.addVideoCodec(payloadType, codec);
}

function sentVideoSection(
  { video = defaultVideo, otherCodecs = [] }: PublishOptions,
  ssrc: number,
): InstanceType<typeof ndc.Video> {
  const section = new ndc.Video('1', 'SendOnly');
  for (const codec of [...otherCodecs, video]) addCodec(section, codec);
  section.addSSRC(ssrc, 'peer', 'stream', 'video');
  return section;
}

function receivedVideoSection(video?: ViewOptions['video']): InstanceType<typeof ndc.Video> {
  const section = new ndc.Video('1', 'RecvOnly');
  if (video) {
    addCodec(section, video);
    if (video.rtx !== undefined) section.addRTXCodec(video.rtx, video.payloadType, 90_000);
    return section;
  }
  section.addVideoCodec(96, 'VP8');
  section.addRTXCodec(97, 96, 90_000);
  const profiles = { 102: '42001f', 108: '42e01f', 116: '4d001f' };
  for (const [payloadType, profile] of Object.entries(profiles))
    section.addH264Codec(Number(payloadType), h264Parameters(profile));
  return section;
}

function h264Parameters(profile: string): string {
  return `profile-level-id=${profile};packetization-mode=1;level-asymmetry-allowed=1`;
}

async function offerOf(connection: NativePeer): Promise<string> {
  const states = new EventLog<string>();
  connection.onGatheringStateChange(states.add);
  connection.setLocalDescription('offer');
  await states.find(state => state === 'complete');
  return connection.localDescription()?.sdp ?? '';
}

async function connect(connection: NativePeer, answer: string): Promise<void> {
  const states = new EventLog<string>();
  connection.onStateChange(states.add);
  connection.setRemoteDescription(withOneCandidate(answer), 'answer');
  await states.find(state => state === 'connected');
}

/** libdatachannel adds candidates one by one. It throws if the service has ended the connection over the first one meanwhile. */
function withOneCandidate(answer: string): string {
  let count = 0;
  return answer.replaceAll(/^a=candidate:.*\r?\n/gm, line => (++count === 1 ? line : ''));
}

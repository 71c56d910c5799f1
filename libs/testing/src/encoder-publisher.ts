import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ndc from 'node-datachannel';
import { waitFor } from './wait-for.js';

export interface EncoderOptions {
  url: string;
  token: string;
  /** x264's name of the profile; default `baseline`. */
  profile?: 'baseline' | 'main' | 'high';
  /** e.g. `1280x720`; default `640x360`. */
  size?: string;
  /** Frames a second; default 30. */
  frameRate?: number;
  /** Frames between keyframes; default one second's. */
  keyframeInterval?: number;
  /** Default true. */
  audio?: boolean;
  /** Default: what x264 chooses. */
  videoBitrate?: string;
}

const audioPayloadType = 111;
const videoPayloadType = 106;
const profileLevelIDs = { baseline: '42e01f', main: '4d001f', high: '64001f' };

/**
 * A hardware-like encoder: FFmpeg's picture and sound over a real ICE, DTLS and SRTP peer, offered as
 * FFmpeg's WHIP muxer does (`setup:passive`, no header extensions, no feedback, no trickle).
 */
export class EncoderPublisher {
  private readonly sockets: Socket[] = [];
  private ffmpeg: ChildProcess | undefined;
  private resource: string | undefined;

  private constructor(
    private readonly options: EncoderOptions,
    private readonly pc: ndc.PeerConnection,
  ) {}

  /** Resolves once connected and sending. Throws the service's answer when it refuses the offer. */
  static async publish(options: EncoderOptions): Promise<EncoderPublisher> {
    const publisher = new EncoderPublisher(options, new ndc.PeerConnection('encoder', { iceServers: [] }));
    try {
      await publisher.open();
      return publisher;
    } catch (error) {
      await publisher.vanish();
      throw error;
    }
  }

  private async open(): Promise<void> {
    const { audio = true } = this.options;
    const audioPort = audio ? await this.receiveFor(this.pc.addTrack(audioSection())) : undefined;
    const videoPort = await this.receiveFor(this.pc.addTrack(videoSection(this.options)));
    this.pc.setLocalDescription('offer');
    await waitFor(() => this.pc.gatheringState() === 'complete', { what: 'the candidates of the encoder' });
    await this.negotiate();
    await waitFor(() => this.pc.state() === 'connected', { what: 'the encoder to be connected' });
    this.ffmpeg = spawn('ffmpeg', ffmpegArguments(this.options, videoPort, audioPort), { stdio: 'ignore' });
  }

  private async negotiate(): Promise<void> {
    const offer = asFfmpegOffers(this.pc.localDescription()?.sdp ?? '');
    const response = await fetch(this.options.url, { method: 'POST', body: offer, headers: this.headers() });
    const body = await response.text();
    if (response.status !== 201) throw new Error(`WHIP ${response.status}: ${body}`);
    this.resource = new URL(response.headers.get('location') ?? '', this.options.url).href;
    this.pc.setRemoteDescription(body, 'answer' as ndc.DescriptionType);
  }

  private headers(): Record<string, string> {
    return { 'content-type': 'application/sdp', authorization: `Bearer ${this.options.token}` };
  }

  /** A local port whose packets go out on the track. */
  private async receiveFor(track: ndc.Track): Promise<number> {
    const socket = createSocket('udp4');
    this.sockets.push(socket);
    socket.on('message', packet => {
      if (track.isOpen()) track.sendMessageBinary(packet);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return (socket.address() as AddressInfo).port;
  }

  /** Ends the session as WHIP asks for: DELETE of the resource. Returns the status. */
  async leave(): Promise<number> {
    const response = this.resource && (await fetch(this.resource, { method: 'DELETE', headers: this.headers() }));
    await this.vanish();
    return response ? response.status : 0;
  }

  /** Goes without a word to the service; safe to call twice. */
  async vanish(): Promise<void> {
    this.ffmpeg?.kill('SIGKILL');
    this.ffmpeg = undefined;
    for (const socket of this.sockets.splice(0)) socket.close();
    this.pc.close();
    await Promise.resolve();
  }
}

function audioSection(): ndc.Audio {
  const section = new ndc.Audio('0', 'SendOnly' as ndc.Direction);
  section.addOpusCodec(audioPayloadType);
  section.addSSRC(1001, 'encoder', 'encoder', 'audio');
  return section;
}

function videoSection({ profile = 'baseline' }: EncoderOptions): ndc.Video {
  const section = new ndc.Video('1', 'SendOnly' as ndc.Direction);
  const parameters = `profile-level-id=${profileLevelIDs[profile]};packetization-mode=1;level-asymmetry-allowed=1`;
  section.addH264Codec(videoPayloadType, parameters);
  section.addSSRC(1002, 'encoder', 'encoder', 'video');
  return section;
}

/** Takes out what FFmpeg's muxer does not offer. */
function asFfmpegOffers(sdp: string): string {
  return sdp
    .split('\r\n')
    .filter(line => !/^a=(extmap|rtcp-fb|ice-options)/.test(line))
    .map(line => line.replace('a=setup:actpass', 'a=setup:passive'))
    .join('\r\n');
}

function ffmpegArguments(options: EncoderOptions, videoPort: number, audioPort?: number): string[] {
  const { size = '640x360', frameRate = 30, profile = 'baseline', keyframeInterval = frameRate } = options;
  const picture = `testsrc2=size=${size}:rate=${frameRate}`;
  const input = ['-hide_banner', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', picture];
  const encoder = ['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  const quality = ['-profile:v', profile, '-g', String(keyframeInterval), '-bsf:v', 'dump_extra'];
  if (options.videoBitrate)
    quality.push('-b:v', options.videoBitrate, '-maxrate', options.videoBitrate, '-bufsize', '1M');
  const video = ['-map', '0:v', ...encoder, ...quality, ...rtp(videoPayloadType, 1002, videoPort)];
  if (audioPort === undefined) return [...input, ...video];
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const audio = ['-map', '1:a', '-c:a', 'libopus', '-ac', '2', ...rtp(audioPayloadType, 1001, audioPort)];
  return [...input, ...sound, ...video, ...audio];
}

function rtp(payloadType: number, ssrc: number, port: number): string[] {
  const target = `rtp://127.0.0.1:${port}?pkt_size=1200`;
  return ['-payload_type', String(payloadType), '-ssrc', String(ssrc), '-f', 'rtp', target];
}

import ndc from 'node-datachannel';
import { waitFor } from '@rtms/testing';
import { trySend } from '@rtms/whip-publisher';

const framesPerSecond = 30;
/** Bytes of media in a video packet. */
const packetBytes = 1_100;
const keyframeInterval = 60;

interface Stream {
  payloadType: number;
  ssrc: number;
  sequence: number;
}

export type VideoCodec = 'VP8' | 'H264';

export const h264Parameters = 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1';

/** Those of the service. The number of retransmissions is one more. */
export const videoPayloadTypes = { VP8: 96, H264: 108 };

/** Payloads of each frame. The first frame is a keyframe. */
export type Clip = readonly (readonly Buffer[])[];

/** A publisher of video and Opus that encodes nothing: the packets have the form of media and the rate of 720p, or repeat a clip. */
export class RtpPublisher {
  private readonly pc = new ndc.PeerConnection('publisher', { iceServers: [], forceMediaTransport: true });
  private readonly audio: Stream = { payloadType: 111, ssrc: 1001, sequence: 0 };
  private readonly video: Stream;
  private readonly tracks: { audio: ndc.Track; video: ndc.Track };
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private heldAt: number | undefined;
  private frames = 0;
  private sounds = 0;
  /** The frame that begins with a keyframe: the first one, or the first one after `hold`. */
  private firstFrame = 0;

  /** The default of six packets a frame makes 1.6 Mbit/s of video at 30 frames a second. */
  constructor(
    private readonly media: number | Clip = 6,
    private readonly codec: VideoCodec = 'VP8',
  ) {
    this.video = { payloadType: videoPayloadTypes[codec], ssrc: 1002, sequence: 0 };
    const audio = new ndc.Audio('0', 'SendOnly');
    audio.addOpusCodec(this.audio.payloadType);
    audio.addSSRC(this.audio.ssrc, 'bench', 'bench', 'audio');
    const video = new ndc.Video('1', 'SendOnly');
    if (codec === 'H264') video.addH264Codec(this.video.payloadType, h264Parameters);
    else video.addVideoCodec(this.video.payloadType, codec);
    video.addSSRC(this.video.ssrc, 'bench', 'bench', 'video');
    this.tracks = { audio: this.pc.addTrack(audio), video: this.pc.addTrack(video) };
  }

  async publish(url: string, token: string): Promise<void> {
    this.pc.setLocalDescription('offer');
    await waitFor(() => this.pc.gatheringState() === 'complete', { what: 'the publisher’s candidates' });
    const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` };
    const response = await fetch(url, { method: 'POST', body: this.pc.localDescription()?.sdp ?? '', headers });
    if (response.status !== 201) throw new Error(`WHIP ${response.status}: ${await response.text()}`);
    this.pc.setRemoteDescription(await response.text(), 'answer');
    await waitFor(() => this.pc.state() === 'connected', { what: 'the publisher to be connected' });
    this.startedAt = performance.now();
    this.timer = setInterval(() => this.sendWhatIsDue(), 10);
  }

  /** The encoder stops, or continues with a keyframe. The connection and the sequence numbers stay; the timestamps jump. */
  hold(isHeld: boolean): void {
    if (isHeld) this.heldAt ??= performance.now();
    else if (this.heldAt !== undefined) {
      this.heldAt = undefined;
      const seconds = (performance.now() - this.startedAt) / 1000;
      this.firstFrame = this.frames = Math.ceil(seconds * framesPerSecond);
      this.sounds = Math.ceil(seconds * 50);
    }
  }

  close(): void {
    clearInterval(this.timer);
    this.pc.close();
  }

  /** By the clock, so that a late timer does not lower the rate. */
  private sendWhatIsDue(): void {
    if (this.heldAt !== undefined) return;
    const seconds = (performance.now() - this.startedAt) / 1000;
    for (; this.frames < seconds * framesPerSecond; this.frames++) this.sendFrame();
    for (; this.sounds < seconds * 50; this.sounds++) {
      trySend(this.tracks.audio, packet(this.audio, this.sounds * 960, true, Buffer.alloc(160, 1)));
    }
  }

  private sendFrame(): void {
    const timestamp = this.frames * (90_000 / framesPerSecond);
    const made = this.payloads(this.frames - this.firstFrame);
    for (const [index, payload] of made.entries())
      trySend(this.tracks.video, packet(this.video, timestamp, index === made.length - 1, payload));
  }

  private payloads(frame: number): readonly Buffer[] {
    const { media, codec } = this;
    if (typeof media !== 'number') return media[frame % media.length] ?? [];
    const isKeyframe = frame % keyframeInterval === 0;
    return Array.from({ length: media }, (_, index) => payloads[codec](index === 0, isKeyframe));
  }
}

/** RFC 7741: S marks a frame's first packet; the lowest bit of the frame tag is 0 in a keyframe. */
function vp8Payload(first: boolean, keyframe: boolean): Buffer {
  const payload = Buffer.alloc(packetBytes, 0x5a);
  payload.writeUInt8(first ? 0x10 : 0, 0);
  payload.writeUInt8(keyframe ? 0 : 1, 1);
  return payload;
}

/** The start of the parameter set of Constrained Baseline at level 3.1, as negotiated: otherwise the SFU inspects the stream often. */
const parameterSet = [0x67, 0x42, 0xe0, 0x1f];

/** RFC 6184: a keyframe begins with a STAP-A of one parameter set. All other packets are parts of a slice (FU-A). */
function h264Payload(first: boolean, keyframe: boolean): Buffer {
  const payload = Buffer.alloc(packetBytes, 0x5a);
  if (first && keyframe) {
    payload.writeUInt8(0x78, 0);
    payload.writeUInt16BE(packetBytes - 3, 1);
    payload.set(parameterSet, 3);
  } else {
    payload.writeUInt8(0x7c, 0);
    payload.writeUInt8((first ? 0x80 : 0) | (keyframe ? 5 : 1), 1);
  }
  return payload;
}

const payloads = { VP8: vp8Payload, H264: h264Payload };

function packet(stream: Stream, timestamp: number, marker: boolean, payload: Buffer): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(0x80, 0);
  header.writeUInt8((marker ? 0x80 : 0) | stream.payloadType, 1);
  header.writeUInt16BE(stream.sequence++ & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(stream.ssrc, 8);
  return Buffer.concat([header, payload]);
}

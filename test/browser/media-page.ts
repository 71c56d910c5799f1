// The page that browser tests open: publishers and players from npm, driven by the test's calls.
import { WHIPClient as EyevinnPublisher } from '@eyevinn/whip-web-client';
import { WebRTCPlayer } from '@eyevinn/webrtc-player';
import { systemClock } from '@rtms/clock';
import { WHEPClient } from 'whip-whep/whep.js';
import { WHIPClient } from 'whip-whep/whip.js';
import type { Source, Watched } from '../system/harness/browser.js';
import { picture } from './picture.js';

interface Opened {
  pc?: RTCPeerConnection;
  stream?: MediaStream;
  stop(): Promise<unknown>;
}

type Connection = Opened & { pc: RTCPeerConnection };
type Begin = (pc: RTCPeerConnection) => Promise<Opened>;

export const open: Opened[] = [];

export const newestConnection = (): RTCPeerConnection | undefined => open.at(-1)?.pc;

/** As the device gives it: to process it takes half of the CPU time of the browser's audio. */
const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

const camera = async (size: Source['video']): Promise<MediaStream> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  stream.addTrack(picture(size));
  return stream;
};

function preferCodec(transceiver: RTCRtpTransceiver, mimeType: string, profile?: string): void {
  const all = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const wanted = all.filter(
    codec => codec.mimeType === mimeType && (!profile || codec.sdpFmtpLine?.includes(`profile-level-id=${profile}`)),
  );
  if (wanted.length === 0) throw new Error(`this browser does not send ${mimeType} ${profile ?? ''}`);
  transceiver.setCodecPreferences([...wanted, ...all.filter(codec => codec.mimeType === 'video/rtx')]);
}

/** Publishes with `whip-whep`; resolves once connected. */
async function publishWithWhipWhep(source: Source): Promise<string> {
  const stream = await camera(source.video);
  const { pc } = await keep(pc => publish(pc, stream, source));
  return pc.localDescription?.sdp ?? '';
}

async function publish(pc: RTCPeerConnection, stream: MediaStream, { url, token, codec, profile }: Source) {
  const [audioTrack] = stream.getAudioTracks();
  const [videoTrack] = stream.getVideoTracks();
  if (!audioTrack || !videoTrack) throw new Error('no camera');
  pc.addTransceiver(audioTrack, { direction: 'sendonly', streams: [stream] });
  const sender = pc.addTransceiver(videoTrack, { direction: 'sendonly', streams: [stream] });
  if (codec) preferCodec(sender, codec, profile);
  const client = new WHIPClient();
  await client.publish(pc, url, token);
  return { stream, stop: () => client.stop() };
}

/** Publishes with `@eyevinn/whip-web-client`. */
async function publishWithEyevinn({ url, token, video }: Source): Promise<void> {
  const stream = await camera(video);
  const client = new EyevinnPublisher({ endpoint: url, opts: { authkey: token, noTrickleIce: true } });
  await client.ingest(stream);
  open.push({ stream, stop: () => client.destroy() });
}

/** Watches with `whip-whep`; resolves once connected. */
async function watchWithWhipWhep(source: Source): Promise<void> {
  await keep(pc => view(pc, source));
}

export async function view(pc: RTCPeerConnection, { url, token }: Source): Promise<Opened> {
  pc.addTransceiver('audio', { direction: 'recvonly' });
  pc.addTransceiver('video', { direction: 'recvonly' });
  const stream = new MediaStream();
  pc.ontrack = event => stream.addTrack(event.track);
  const client = new WHEPClient();
  await client.view(pc, url, token);
  show(stream);
  return { stop: () => client.stop() };
}

/** As encoders and players do, opens another connection in place of a lost one. */
async function keep(begin: Begin): Promise<Connection> {
  const kept = await connect(begin);
  open.push(kept);
  kept.pc.addEventListener('connectionstatechange', () => {
    const isLost = kept.pc.connectionState === 'failed' && open.at(-1) === kept;
    // A refusal is no error: the session or the playback may have ended.
    if (isLost) void replace(kept, begin).catch(() => undefined);
  });
  return kept;
}

/** Counts of the connections that were lost. */
const earlier = { frames: 0, keyframes: 0, audioPackets: 0, losses: 0 };

async function replace(lost: Connection, begin: Begin): Promise<void> {
  const { frames, keyframes, audioPackets, losses } = await watched();
  const next = await keep(begin);
  Object.assign(earlier, { frames, keyframes, audioPackets, losses: losses + 1 });
  lost.pc.close();
  const isStopped = !open.includes(lost);
  open.splice(open.indexOf(isStopped ? next : lost), 1);
  if (isStopped) await next.stop();
}

/** The media node gives a viewer up that does not connect within seconds, and keeps the place of a lost publisher for two. */
const attempts = 5;
const pauseMs = 1_000;

async function connect(begin: Begin): Promise<Connection> {
  for (let attempt = 1; ; attempt += 1) {
    const pc = new RTCPeerConnection();
    try {
      const opened = await begin(pc);
      await connected(pc);
      return { ...opened, pc };
    } catch (error) {
      pc.close();
      if (attempt === attempts) throw error;
      await systemClock.pause(pauseMs);
    }
  }
}

/** Watches with `@eyevinn/webrtc-player`. */
async function watchWithEyevinn({ url, token }: Source): Promise<void> {
  const video = show();
  const player = new WebRTCPlayer({ video, type: 'whep', timeoutThreshold: 10_000 });
  await player.load(new URL(url), `Bearer ${token}`);
  open.push({ stop: () => player.unload() });
}

function show(stream?: MediaStream): HTMLVideoElement {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, autoplay: true, playsInline: true });
  if (stream) video.srcObject = stream;
  document.body.append(video);
  return video;
}

export function connected(pc: RTCPeerConnection, limit?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error('the peer connection failed'));
    limit?.addEventListener('abort', fail);
    const look = () => {
      if (pc.connectionState === 'connected') resolve();
      if (pc.connectionState === 'failed') fail();
    };
    pc.addEventListener('connectionstatechange', look);
    look();
  });
}

/** Frames that the newest video element decoded, its size, the keyframes and the audio that its connection received, and its state. */
async function watched(): Promise<Watched> {
  const video = [...document.querySelectorAll('video')].at(-1);
  if (!video) return { ...earlier, width: 0, height: 0 };
  const reports = await received();
  const connection = newestConnection()?.connectionState;
  const [audio, picture] = ['audio', 'video'].map(kind => reports.find(report => report.kind === kind));
  return {
    frames: earlier.frames + video.getVideoPlaybackQuality().totalVideoFrames,
    width: video.videoWidth,
    height: video.videoHeight,
    keyframes: earlier.keyframes + (picture?.keyFramesDecoded ?? 0),
    audioPackets: earlier.audioPackets + (audio?.packetsReceived ?? 0),
    losses: earlier.losses,
    ...(connection && { connection }),
  };
}

/** Media that the newest connection received, by track. */
async function received(): Promise<RTCInboundRtpStreamStats[]> {
  const reports: RTCInboundRtpStreamStats[] = [];
  (await newestConnection()?.getStats())?.forEach((report: RTCStats) => {
    if (report.type === 'inbound-rtp') reports.push(report as RTCInboundRtpStreamStats);
  });
  return reports;
}

/** Ends everything in the order of opening; `vanish` closes connections without a request to the service. */
async function stopAll({ vanish = false } = {}): Promise<void> {
  for (const item of open.splice(0)) {
    if (vanish) item.pc?.close();
    else await item.stop();
    item.stream?.getTracks().forEach(track => track.stop());
  }
}

Object.assign(globalThis, {
  media: { publishWithWhipWhep, publishWithEyevinn, watchWithWhipWhep, watchWithEyevinn, watched, stopAll },
});

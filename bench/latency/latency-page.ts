// The page of the latency bench: publishes a picture of its clock and reads it back by all ways, so that one clock
// measures all.
import { joinRoom, type Room } from '@rtms/client';
import Hls from 'hls.js';
import { WHEPClient } from 'whip-whep/whep.js';
import { WHIPClient } from 'whip-whep/whip.js';
import { ageOfPicture } from '../../tools/demo/read-clock.js';
import { drawClock } from './clock-picture.js';

export interface Address {
  url: string;
  token: string;
}

export interface Readings {
  /** ms from the drawing of a picture to its presentation. */
  ages: number[];
  unreadable: number;
}

export interface LatencyPage {
  publish(ingest: Address): Promise<void>;
  watchDirectly(): Promise<void>;
  /** `isOfWallClock`: another program draws the picture, with the time of the day. */
  watchByWhep(playback: Address, isOfWallClock?: boolean): Promise<void>;
  watchAsMember(join: Address): Promise<void>;
  /** `way`: names the readings. */
  watchByHls(way: string, url: string): Promise<void>;
  /** Shows what was read since the last call. */
  readings(way: string): Readings;
  /** Of the playlist that hls.js plays, in seconds. */
  targetDuration(): number;
  stopWatching(way: string): Promise<void>;
}

const [width, height, framesPerSecond] = [640, 360, 30];
const readingsOf = new Map<string, Readings>();
const stops = new Map<string, () => unknown>();
let hls: Hls | undefined;

const canvas = Object.assign(document.createElement('canvas'), { width, height });
const context = canvas.getContext('2d', { alpha: false });
const stream = canvas.captureStream(framesPerSecond);
let frame = 0;
setInterval(() => {
  if (!context) return;
  frame += 1;
  context.fillStyle = `hsl(${frame % 360} 60% 50%)`;
  context.fillRect((frame * 7) % width, height * 0.2 + ((frame * 5) % (height * 0.7)), 60, 40);
  drawClock(context, performance.now());
}, 1000 / framesPerSecond);

function cameraTrack(): MediaStreamTrack {
  const [track] = stream.getVideoTracks();
  if (!track) throw new Error('the canvas gives no track');
  return track;
}

/** Both publishers encode alike. */
function send(connection: RTCPeerConnection): void {
  const transceiver = connection.addTransceiver(cameraTrack(), { direction: 'sendonly', streams: [stream] });
  const all = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  transceiver.setCodecPreferences(all.filter(({ mimeType }) => ['video/VP8', 'video/rtx'].includes(mimeType)));
}

/** Reads each picture when it is presented. `origin`: the time by the drawn clock when the clock of this page began. */
function read(way: string, video: HTMLVideoElement, origin: number): void {
  const readings: Readings = { ages: [], unreadable: 0 };
  readingsOf.set(way, readings);
  const next = (now: number): void => {
    const age = ageOfPicture(video, origin + now);
    if (age === undefined) readings.unreadable += 1;
    else readings.ages.push(age);
    video.requestVideoFrameCallback(next);
  };
  video.requestVideoFrameCallback(next);
}

function show(way: string, media: MediaStream | undefined, origin = 0): HTMLVideoElement {
  const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true, playsInline: true });
  if (media) video.srcObject = media;
  // Small, because painting costs most here. The picture keeps its own size.
  Object.assign(video.style, { width: '160px', height: '90px' });
  document.body.append(video);
  read(way, video, origin);
  return video;
}

function firstTrack(connection: RTCPeerConnection): Promise<MediaStreamTrack> {
  return new Promise(resolve => connection.addEventListener('track', ({ track }) => resolve(track), { once: true }));
}

async function externalTrack(room: Room): Promise<string> {
  const find = (): string | undefined =>
    room.state.roster.flatMap(entry => entry.tracks).find(({ kind, state }) => kind === 'video' && state === 'live')
      ?.trackID;
  return new Promise(resolve => {
    const look = (): void => {
      const trackID = find();
      if (trackID !== undefined) resolve(trackID);
    };
    room.on('state.changed', look);
    look();
  });
}

const page: LatencyPage = {
  async publish({ url, token }) {
    const connection = new RTCPeerConnection();
    send(connection);
    await new WHIPClient().publish(connection, url, token);
  },
  async watchDirectly() {
    const [sender, receiver] = [new RTCPeerConnection(), new RTCPeerConnection()];
    sender.onicecandidate = ({ candidate }) => void receiver.addIceCandidate(candidate ?? undefined);
    receiver.onicecandidate = ({ candidate }) => void sender.addIceCandidate(candidate ?? undefined);
    send(sender);
    const track = firstTrack(receiver);
    await sender.setLocalDescription();
    await receiver.setRemoteDescription(sender.localDescription!);
    await receiver.setLocalDescription();
    await sender.setRemoteDescription(receiver.localDescription!);
    show('direct', new MediaStream([await track]));
    stops.set('direct', () => [sender, receiver].forEach(connection => connection.close()));
  },
  async watchByWhep({ url, token }, isOfWallClock = false) {
    const connection = new RTCPeerConnection();
    connection.addTransceiver('video', { direction: 'recvonly' });
    const track = firstTrack(connection);
    const client = new WHEPClient();
    await client.view(connection, url, token);
    const video = show('whep', new MediaStream([await track]), isOfWallClock ? performance.timeOrigin : 0);
    stops.set('whep', async () => {
      await client.stop();
      video.remove();
    });
  },
  async watchAsMember(join) {
    const room = await joinRoom(join);
    const subscription = await room.subscribe(await externalTrack(room));
    show('member', new MediaStream([subscription.track]));
    stops.set('member', () => room.leave());
  },
  async watchByHls(way, url) {
    const player = new Hls();
    hls = player;
    player.loadSource(url);
    player.attachMedia(show(way, undefined));
    stops.set(way, () => player.destroy());
    await Promise.resolve();
  },
  readings(way) {
    const readings = readingsOf.get(way);
    const unreadable = readings?.unreadable ?? 0;
    if (readings) readings.unreadable = 0;
    return { ages: readings?.ages.splice(0) ?? [], unreadable };
  },
  targetDuration: () => hls?.levels[hls.currentLevel]?.details?.targetduration ?? NaN,
  async stopWatching(way) {
    await stops.get(way)?.();
  },
};
Object.assign(globalThis, { latency: page });

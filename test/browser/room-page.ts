// The page that tests of rooms open: a member by the client SDK, driven by the test's calls.
import { joinRoom, RtmsError, type LocalTrack, type Room, type Subscription, type TrackSource } from '@rtms/client';
import { picture } from './picture.js';

interface Shown {
  subscription: Subscription;
  element: HTMLMediaElement;
}

/** The test gets the result of `look` after each change (see room-member.ts). */
declare function roomChanged(looked: unknown): Promise<void>;

let room: Room | undefined;
const shown = new Map<string, Shown>();
/** All events, for the test to read. */
const heard: { name: string; event: unknown }[] = [];

const names = [
  'state.changed',
  'participant.joined',
  'participant.left',
  'chat.message',
  'poll.created',
  'poll.voted',
  'poll.ended',
  'room.ended',
  'speaker.changed',
  'connection.changed',
  'media.changed',
  'farewell',
] as const;

/** As long as tests wait by default: a busy machine needs more than the SDK's 15 s. */
const timeoutMs = 120_000;

async function join(ticket: { url: string; token: string }): Promise<string> {
  const joined = await joinRoom({ ...ticket, timeoutMs });
  room = joined;
  for (const name of names) {
    joined.on(name, event => {
      if (name !== 'state.changed') heard.push({ name, event });
      tell();
    });
  }
  tell();
  return joined.participantID;
}

function tell(): void {
  void roomChanged(look());
}

/**
 * Calls a method of the room. Returns a failure as code and reason, because an error loses them on its way to the
 * test.
 */
async function call(method: string, ...args: unknown[]): Promise<unknown> {
  try {
    const methods = joined() as unknown as Record<string, (...given: unknown[]) => unknown>;
    const result = await methods[method]?.(...args);
    return typeof result === 'object' && !Array.isArray(result) ? undefined : result;
  } catch (error) {
    if (error instanceof RtmsError) return { code: error.code, reason: error.reason };
    throw error;
  }
}

async function publishCamera(size: { width: number; height: number }, simulcast = true): Promise<string | undefined> {
  return publish(picture(size), 'camera', simulcast);
}

/** A voice: a tone as loud as speech, until `stop`. */
let voice: AudioContext | undefined;

async function speak(): Promise<string | undefined> {
  voice = new AudioContext();
  const [tone, loudness] = [new OscillatorNode(voice, { frequency: 300 }), new GainNode(voice, { gain: 0.5 })];
  const output = voice.createMediaStreamDestination();
  tone.connect(loudness).connect(output);
  tone.start();
  await voice.resume();
  return publish(output.stream.getAudioTracks()[0], 'microphone');
}

async function fallSilent(): Promise<void> {
  await voice?.suspend();
}

async function publishMicrophone(): Promise<string | undefined> {
  const [track] = (await navigator.mediaDevices.getUserMedia({ audio: true })).getAudioTracks();
  return publish(track, 'microphone');
}

async function publishScreen(width: number, height: number): Promise<string | undefined> {
  return publish(picture({ width, height }), 'screen');
}

async function publish(
  track: MediaStreamTrack | undefined,
  source: TrackSource,
  simulcast?: boolean,
): Promise<string | undefined> {
  if (!track) throw new Error('no track');
  const local: LocalTrack = await joined().publish(track, { source, ...(simulcast !== undefined && { simulcast }) });
  return local.trackID;
}

async function watch(trackID: string): Promise<void> {
  const subscription = await joined().subscribe(trackID);
  const element = document.createElement(subscription.kind);
  Object.assign(element, { autoplay: true, playsInline: true });
  const play = (track: MediaStreamTrack) => (element.srcObject = new MediaStream([track]));
  subscription.on('track.changed', ({ track }) => play(track));
  subscription.on('ended', () => {
    shown.delete(trackID);
    tell();
  });
  play(subscription.track);
  document.body.append(element);
  shown.set(trackID, { subscription, element });
  tell();
}

async function setLayers(trackID: string, spatialLayer: number): Promise<void> {
  await shown.get(trackID)?.subscription.setLayers({ spatialLayer });
}

/** The received media of a track. */
async function received(trackID: string): Promise<Record<string, number>> {
  const numbers = { frames: 0, width: 0, height: 0, energy: 0 };
  (await shown.get(trackID)?.subscription.getStats())?.forEach((report: RTCStats) => {
    if (report.type !== 'inbound-rtp') return;
    const { framesDecoded, frameWidth, frameHeight, totalAudioEnergy } = report as RTCInboundRtpStreamStats;
    Object.assign(numbers, {
      frames: framesDecoded ?? 0,
      width: frameWidth ?? 0,
      height: frameHeight ?? 0,
      energy: totalAudioEnergy ?? 0,
    });
  });
  return numbers;
}

function look(): unknown {
  const { state, me, speaker, connectionState, mediaState } = joined();
  return { state, me, speaker, connectionState, mediaState, heard, watching: [...shown.keys()] };
}

function joined(): Room {
  if (!room) throw new Error('no room was joined');
  return room;
}

Object.assign(globalThis, {
  member: {
    join,
    call,
    publishCamera,
    publishMicrophone,
    publishScreen,
    speak,
    fallSilent,
    watch,
    setLayers,
    received,
    look,
  },
});

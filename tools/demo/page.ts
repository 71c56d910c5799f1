// The page of `npm run demo`: plays one publisher by WHEP and by HLS, and reads the clock in both pictures.
import Hls from 'hls.js';
import { WHEPClient } from 'whip-whep/whep.js';
import { ageOfPicture } from './read-clock.js';

interface Watch {
  whep: { url: string; token: string };
  hls: string;
}

/** The state of one player, for tests and benches. */
interface Player {
  /** Of decoded and presented frames. */
  frames: number;
  /** Median of the last second in ms; undefined while no clock was read. */
  delayMs: number | undefined;
}

const players: Record<'whep' | 'hls', Player> = {
  whep: { frames: 0, delayMs: undefined },
  hls: { frames: 0, delayMs: undefined },
};
Object.assign(globalThis, { demo: players });

const showEveryMs = 1_000;
const retryMs = 2_000;
const samples = 5;

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** How far the publisher's clock is ahead of this page's, in ms, by the quickest of some requests. */
async function clockDifference(): Promise<{ offset: number; error: number }> {
  let best = { offset: 0, error: Infinity };
  for (let sample = 0; sample < samples; sample++) {
    const sent = Date.now();
    const theirs = await ask<number>('/now');
    const error = (Date.now() - sent) / 2;
    if (error < best.error) best = { offset: theirs - sent - error, error };
  }
  return best;
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Reads the clock in each presented frame, and shows the median each second. */
function measure(name: 'whep' | 'hls', offset: number): void {
  const video = element<HTMLVideoElement>(name);
  const shown = element<HTMLOutputElement>(`${name}-delay`);
  let ages: number[] = [];
  const onFrame = (): void => {
    players[name].frames += 1;
    const age = ageOfPicture(video, Date.now() + offset);
    if (age !== undefined) ages.push(age);
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
  let seen = 0;
  setInterval(() => {
    const { frames } = players[name];
    const delayMs = median(ages);
    players[name].delayMs = delayMs;
    if (delayMs !== undefined) shown.value = `${(delayMs / 1000).toFixed(2)} s`;
    else if (seen > 0) shown.value = frames === seen ? 'no picture' : 'the clock cannot be read';
    seen = frames;
    ages = [];
  }, showEveryMs);
}

async function playWhep({ whep }: Watch): Promise<void> {
  const connection = new RTCPeerConnection();
  const stream = new MediaStream();
  connection.addEventListener('track', ({ track }) => stream.addTrack(track));
  for (const kind of ['audio', 'video']) connection.addTransceiver(kind, { direction: 'recvonly' });
  element<HTMLVideoElement>('whep').srcObject = stream;
  const client = new WHEPClient();
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'failed') again(playWhep);
  });
  window.addEventListener('pagehide', () => void client.stop().catch(() => undefined));
  await client.view(connection, whep.url, whep.token);
}

async function playHls({ hls }: Watch): Promise<void> {
  const player = new Hls();
  player.on(Hls.Events.ERROR, (_event, { fatal }) => {
    if (!fatal) return;
    player.destroy();
    again(playHls);
  });
  player.loadSource(hls);
  player.attachMedia(element('hls'));
  await Promise.resolve();
}

/** With fresh tokens. */
function again(play: (watch: Watch) => Promise<void>): void {
  const retry = async (): Promise<void> => play(await ask<Watch>('/watch'));
  setTimeout(() => void retry().catch(() => again(play)), retryMs);
}

async function start(): Promise<void> {
  const { offset, error } = await clockDifference();
  element('clock-note').textContent =
    `This machine's clock was compared with the publisher's, to within ${Math.ceil(error)} ms.`;
  measure('whep', offset);
  measure('hls', offset);
  const watch = await ask<Watch>('/watch');
  playWhep(watch).catch(() => again(playWhep));
  playHls(watch).catch(() => again(playHls));
}

start().catch((error: unknown) => {
  element('clock-note').textContent = `The demo does not answer (${String(error)}). Is it still running?`;
});

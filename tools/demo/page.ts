// The page of `npm run demo`: plays one publisher by WHEP and by HLS, and reads the clock in both pictures.
import { Player, type PlayerSource, type PlayerStatus } from '@rtms/player';
import { ageOfPicture } from './read-clock.js';

interface Watch {
  whep: { url: string; token: string };
  hls: string;
}

/** The state of one player, for tests and benches. */
interface Shown {
  /** Of decoded and presented frames. */
  frames: number;
  /** Median of the last second in ms; undefined while no clock was read. */
  delayMs: number | undefined;
}

const players: Record<'whep' | 'hls', Shown> = {
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

/** Plays by one transport, so that both can be compared. Starts again with fresh tokens when it has ended. */
function play(name: 'whep' | 'hls', watch: Watch): void {
  const only = (all: Watch): PlayerSource => ({ [name]: all[name] });
  const again = async (): Promise<void> => {
    player.update(only(await ask<Watch>('/watch')));
    player.play();
  };
  const retry = (): void => void setTimeout(() => void again().catch(retry), retryMs);
  const onChange = ({ state }: PlayerStatus): void => {
    if (state === 'ended' || state === 'failed') retry();
  };
  const renew = async (): Promise<PlayerSource> => only(await ask<Watch>('/watch'));
  // The viewers of the page share a playback.
  const video = element<HTMLVideoElement>(name);
  const player = new Player({ video, source: only(watch), isShared: true, renew, onChange });
  window.addEventListener('pagehide', () => void player.stop());
  player.play();
}

async function start(): Promise<void> {
  const { offset, error } = await clockDifference();
  element('clock-note').textContent =
    `This machine's clock was compared with the publisher's, to within ${Math.ceil(error)} ms.`;
  measure('whep', offset);
  measure('hls', offset);
  const watch = await ask<Watch>('/watch');
  play('whep', watch);
  play('hls', watch);
}

start().catch((error: unknown) => {
  element('clock-note').textContent = `The demo does not answer (${String(error)}). Is it still running?`;
});

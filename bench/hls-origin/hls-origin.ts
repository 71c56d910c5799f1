/**
 * How many requests a second the HLS origin answers for one broadcast on one core, with a slow reader present.
 * `npm run bench:origin`; prints one JSON line. Other load does not change `perCpuSecond`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../percentile.js';
import { KeepAliveReader } from './keep-alive-reader.js';

const secondsEach = 8;
const connections = 50;
const aim = 2_000;

interface Measured {
  requestsPerSecond: number;
  requestsPerCpuSecond: number;
  megabytesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

async function ask<Answer>(child: ChildProcess, question?: object): Promise<Answer> {
  if (question) child.send(question);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

async function segmentOf(url: string, prefix: string, rendition: string): Promise<string> {
  const text = await (await fetch(`${url}${prefix}/${rendition}/index.m3u8`)).text();
  return `${prefix}/${rendition}/${/^[^#\n].*$/m.exec(text)![0]}`;
}

/** Asks for a hundred segments and reads none. */
async function startSlowReader(url: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  for (let index = 0; index < 100; index += 1) socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  return socket;
}

async function measure(child: ChildProcess, url: string, paths: string[]): Promise<Measured> {
  const port = Number(new URL(url).port);
  const before = await ask<{ cpuSeconds: number }>(child, {});
  const started = performance.now();
  const readers = await Promise.all(Array.from({ length: connections }, () => KeepAliveReader.start(port, paths)));
  await pause(secondsEach * 1000);
  for (const reader of readers) reader.stop();
  const seconds = (performance.now() - started) / 1000;
  const after = await ask<{ cpuSeconds: number }>(child, {});
  return summarize(readers, seconds, after.cpuSeconds - before.cpuSeconds);
}

function summarize(readers: readonly KeepAliveReader[], seconds: number, cpuSeconds: number): Measured {
  const latencies = readers.flatMap(({ latenciesMs }) => latenciesMs);
  const sum = (key: 'bytes' | 'failures'): number => readers.reduce((total, reader) => total + reader[key], 0);
  return {
    requestsPerSecond: Math.round(latencies.length / seconds),
    requestsPerCpuSecond: Math.round(latencies.length / cpuSeconds),
    megabytesPerSecond: Math.round(sum('bytes') / seconds / 1e6),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures: sum('failures'),
  };
}

const child = fork(new URL('./origin-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
try {
  const { url, entry, prefix } = await ask<{ url: string; entry: string; prefix: string }>(child);
  const video = await segmentOf(url, prefix, '720p');
  const audio = await segmentOf(url, prefix, 'audio');
  const playlists = ['720p', 'audio'].map(name => `${prefix}/${name}/index.m3u8`);
  const slowReader = await startSlowReader(url, video);
  // A player fetches this once, and a CDN passes it on, because the origin checks the token.
  const joining = await measure(child, url, [entry]);
  const playlist = await measure(child, url, playlists);
  // One player's requests for each segment that it plays.
  const player = await measure(child, url, [...playlists, video, audio]);
  slowReader.destroy();
  const requestsPerSecond = Math.min(playlist.requestsPerCpuSecond, player.requestsPerCpuSecond);
  console.log(
    JSON.stringify({
      bench: 'hls-origin',
      connections,
      joining,
      playlist,
      player,
      requestsPerSecond,
      aim,
      met: requestsPerSecond >= aim,
    }),
  );
} finally {
  child.disconnect();
}

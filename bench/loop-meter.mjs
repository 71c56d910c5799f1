// Preloaded into a gateway: measures the pauses of its event loop. Each SIGUSR2 writes the measures since the last
// one to the file of the query string: `node --import 'file:///…/loop-meter.mjs?file=/tmp/measures.json' main.js`.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? 'measures.json';
const tickMs = 2;
/** Linux: nanoseconds that the main thread ran, nanoseconds that it waited for a core, and a count. */
const schedule = `/proc/self/task/${process.pid}/schedstat`;
const ranMs = () => Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
const begin = () => ({ longestPauseMs: 0, longestCpuMs: 0, from: process.cpuUsage(), begun: performance.now() });

let last = performance.now();
let lastRan = ranMs();
let measures = begin();

setInterval(() => {
  const now = performance.now();
  const ran = ranMs();
  measures.longestPauseMs = Math.max(measures.longestPauseMs, now - last - tickMs);
  measures.longestCpuMs = Math.max(measures.longestCpuMs, ran - lastRan);
  last = now;
  lastRan = ran;
}, tickMs).unref();

process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage(measures.from);
  const { longestPauseMs, longestCpuMs, begun } = measures;
  const wallMs = performance.now() - begun;
  // Renamed at the end, so that no reader sees half of it.
  writeFileSync(`${file}.new`, JSON.stringify({ longestPauseMs, longestCpuMs, cpuMs: (user + system) / 1000, wallMs }));
  renameSync(`${file}.new`, file);
  measures = begin();
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import { cpuSeconds, readProcFile } from '../process-usage.js';

/** The transcoder that listens on a port, by its command line and environment. */
export function transcoderPid(port: string): number {
  const found = processIDs().find(
    pid =>
      readProcFile(pid, 'cmdline').includes('apps/transcoder/dist/main.js') &&
      readProcFile(pid, 'environ').split('\0').includes(`PORT=${port}`),
  );
  if (found === undefined) throw new Error(`no transcoder process on this machine listens on port ${port}`);
  return found;
}

/** The FFmpegs that a process has started. */
export function encoderPids(parent: number): number[] {
  return processIDs().filter(pid => {
    const isChild = readProcFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1] === String(parent);
    return isChild && readProcFile(pid, 'cmdline').includes('libx264');
  });
}

/** How many segments of the picture an FFmpeg has completed in the directory that it works in. */
export function completedSegments(directory: string): number {
  const playlist = readdirSync(directory).find(file => file.endsWith('.m3u8') && !file.startsWith('audio'));
  const listed = playlist === undefined ? '' : readFileSync(join(directory, playlist), 'utf8');
  return Number([...listed.matchAll(/-(\d+)\.m4s/g)].at(-1)?.[1] ?? -1) + 1;
}

function processIDs(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

/**
 * CPU seconds for each of `segments` segments, measured between the completions of two segments. So a busy machine
 * gives the same figure as an idle one.
 */
export async function cpuPerSegment(
  pids: readonly number[],
  completed: () => number | Promise<number>,
  segments: number,
): Promise<number[]> {
  const first = (await completed()) + 2;
  const reached = (count: number) =>
    waitFor(async () => (await completed()) >= count, { timeoutMs: 300_000, what: `segment ${count}` });
  await reached(first);
  const before = pids.map(cpuSeconds);
  const from = await completed();
  await reached(from + segments);
  const used = pids.map((pid, i) => cpuSeconds(pid) - before[i]!);
  const made = (await completed()) - from;
  return used.map(seconds => seconds / made);
}

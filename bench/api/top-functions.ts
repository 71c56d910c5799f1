import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourcePlaces } from '../../tools/bundle/source-places.mjs';

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
  /** As `process.hrtime`, in microseconds. */
  startTime: number;
}

export interface FunctionTime {
  function: string;
  /** Of the time in which the process was not idle. */
  percent: number;
}

/** The functions in which most time passed between two moments of `process.hrtime`, callees not counted. */
export async function topFunctions(
  folder: string,
  [from, to]: [bigint, bigint],
  count: number,
): Promise<FunctionTime[]> {
  const file = (await readdir(folder)).find(name => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error(`${folder} has no profile`);
  const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
  const times = selfTimes(profile, Number(from / 1000n), Number(to / 1000n));
  times.delete('(idle)');
  const total = [...times.values()].reduce((sum, each) => sum + each, 0);
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, time]) => ({ function: name, percent: Math.round((time / total) * 1000) / 10 }));
}

function selfTimes({ nodes, samples, timeDeltas, startTime }: CpuProfile, from: number, to: number) {
  const places = new SourcePlaces();
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame, places)]));
  const times = new Map<string, number>();
  let at = startTime;
  samples.forEach((id, index) => {
    at += timeDeltas[index]!;
    if (at < from || at > to) return;
    // A sample stands for the time until the next one.
    const name = names.get(id)!;
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index + 1] ?? 0));
  });
  return times;
}

function nameOf({ functionName, url, lineNumber, columnNumber }: CallFrame, places: SourcePlaces): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const place = places.at(url, lineNumber, columnNumber);
  return `${name} ${place.url.replace(/^.*\/(?:node_modules\/|(?=(?:apps|libs)\/[^/]+\/(?:src|dist)\/))/, '')}:${place.line}`;
}

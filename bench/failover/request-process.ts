// The requests of bench:failover. It runs in its own process, because the bench's process answers thousands of
// commands.
import { playPart } from '../bench-process.js';
import type { MeasuredRequest } from '../api/measured-requests.js';
import { percentile } from '../percentile.js';

export interface RequestTask {
  url: string;
  requests: readonly MeasuredRequest[];
  /** A request of each kind is sent this often. */
  everyMs: number;
}

export interface RequestTimes {
  requests: number;
  failures: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const deadlineMs = 30_000;

/** At a steady pace, whether the gateway answers or not. */
playPart<RequestTask>(async ({ url, requests, everyMs }, begin, stop) => {
  const times: number[] = [];
  let failures = 0;
  const open = new Set<Promise<void>>();
  const ask = async ({ method, path, headers, body }: MeasuredRequest): Promise<void> => {
    const begun = performance.now();
    const signal = AbortSignal.timeout(deadlineMs);
    const init = { method, headers, signal, ...(body !== undefined && { body }) };
    const answer = await fetch(`${url}${path}`, init).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    times.push(performance.now() - begun);
    if (!answer?.ok) failures += 1;
  };
  // The first request of a process opens its connections and compiles its client.
  for (let round = 0; round < 5; round++) await Promise.all(requests.map(ask));
  times.length = 0;
  failures = 0;
  const timer = setInterval(() => {
    for (const request of requests) {
      const asking = ask(request).finally(() => open.delete(asking));
      open.add(asking);
    }
  }, everyMs);
  begin();
  await new Promise(resolve => stop.addEventListener('abort', resolve, { once: true }));
  clearInterval(timer);
  await Promise.all(open);
  const [p50Ms = NaN, p99Ms = NaN, maxMs = NaN] = [0.5, 0.99, 1].map(share => percentile(times, share));
  return { requests: times.length, failures, p50Ms, p99Ms, maxMs } satisfies RequestTimes;
});

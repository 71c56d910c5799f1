import autocannon, { type Client } from 'autocannon';
import { cpuSeconds } from '../process-usage.js';
import type { MeasuredRequest } from './measured-requests.js';

const connections = 10;

/** Requests of one round, or of several rounds of the same request. */
export interface Load {
  latenciesMs: number[];
  seconds: number;
  cpuSeconds: number;
}

/** Duration, or number of requests. */
export type Extent = { duration: number } | { amount: number };

/** Sends requests one after the other over ten connections. Throws when one fails. */
export async function loadRound(
  { url, pid }: { url: string; pid: number },
  { path, otherPaths = [], ...request }: MeasuredRequest,
  extent: Extent,
): Promise<Load> {
  const latenciesMs: number[] = [];
  const [started, cpu] = [performance.now(), cpuSeconds(pid)];
  await new Promise<void>((resolve, reject) => {
    const finish = (error: unknown, { non2xx, errors }: autocannon.Result): void => {
      const failures = non2xx + errors;
      if (error) reject(error instanceof Error ? error : new Error('autocannon failed'));
      else if (failures > 0) reject(new Error(`${request.method} ${path}: ${failures} requests failed`));
      else resolve();
    };
    const paths = [path, ...otherPaths];
    let begun = 0;
    const setupClient = (client: Client): void => {
      const from = Math.floor((begun++ * paths.length) / connections);
      client.setRequests([...paths.slice(from), ...paths.slice(0, from)].map(each => ({ ...request, path: each })));
    };
    const instance = autocannon({ url, connections, ...request, setupClient, ...extent }, finish);
    const note = (_client: Client, _status: number, _bytes: number, ms: number) => void latenciesMs.push(ms);
    instance.on('response', note);
  });
  return { latenciesMs, seconds: (performance.now() - started) / 1000, cpuSeconds: cpuSeconds(pid) - cpu };
}

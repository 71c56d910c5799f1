import { parentPort, workerData } from 'node:worker_threads';
import { NatsBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { loadBusConfig } from '@rtms/config';
import { messageOf } from '@rtms/logging';
import { LeaseDelegate, type LeaseNews } from './lease-port.js';
import type { LeaseThreadData } from './lease-thread.js';

/** The program of the lease thread, see `LeaseThread`. It has its own bus connection. */
async function main(): Promise<void> {
  if (!parentPort) throw new Error('This program runs only as a worker thread of an SFU or transcoder.');
  const { nodeID, service } = workerData as LeaseThreadData;
  const bus = await NatsBus.connect({
    ...loadBusConfig(),
    name: `${nodeID} lease`,
    service,
    provision: 'await',
    onProblem: ({ message }) => tell({ kind: 'problem', message }),
  });
  new LeaseDelegate(parentPort, bus, systemClock);
}

function tell(news: LeaseNews): void {
  parentPort?.postMessage(news);
}

main().catch((error: unknown) => {
  tell({ kind: 'failed', message: messageOf(error) });
  parentPort?.close();
});

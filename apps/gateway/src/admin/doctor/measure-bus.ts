import type { Bus } from '@rtms/bus';
import { factStream, leaseBucket, type NodeLease } from '@rtms/contracts';
import type { Finding } from './finding.js';
import { judgeBus, judgeJetStream } from './judge-platform.js';
import { measure } from './measured.js';

/** What there is to say about NATS; the same for the gateway and for a doctor without one. */
export async function lookAtBus(bus: Bus): Promise<Finding[]> {
  const isConnected = bus.isConnected();
  const findings: Finding[] = [
    { check: 'bus', ...judgeBus(isConnected ? { value: bus } : { failure: 'the connection was lost' }) },
  ];
  if (!isConnected) return findings;
  const opened = await measure(() => openAll(bus));
  return [...findings, { check: 'jetstream', ...judgeJetStream(opened) }];
}

async function openAll(bus: Bus): Promise<string> {
  await bus.ensureStream(factStream);
  const leases = await bus.keyValue<NodeLease>(leaseBucket);
  await leases.get('doctor');
  return `stream ${factStream.name} and bucket ${leaseBucket}`;
}

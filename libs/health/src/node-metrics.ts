import type { Bus, Closeable } from '@rtms/bus';
import { installation } from '@rtms/config';
import { commandNameOf } from '@rtms/contracts';
import { Histogram } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

export interface NodeMetricsParts {
  service: string;
  bus: Bus;
  isDraining: () => boolean;
  /** Set by a service that reports facts. */
  facts?: { readonly waitingCount: number };
}

/** The version of this service. All packages of a release have the same one. */
export const serviceVersion = installation.version;
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers the metrics of every node. Close the result before the bus. */
export function registerNodeMetrics(registry: MetricsRegistry, parts: NodeMetricsParts): Closeable {
  const { service, bus, isDraining, facts } = parts;
  registry.gauge({
    name: 'rtms_build_info',
    help: 'Always 1. The labels name the running service and version.',
    labels: ['service', 'version'],
    read: () => [{ labels: { service, version: serviceVersion }, value: 1 }],
  });
  registry.gauge({
    name: 'rtms_bus_connected',
    help: '1 while NATS is connected, else 0.',
    read: () => Number(bus.isConnected()),
  });
  registry.gauge({
    name: 'rtms_draining',
    help: '1 while the node drains, else 0.',
    read: () => Number(isDraining()),
  });
  if (facts) {
    registry.gauge({
      name: 'rtms_facts_waiting',
      help: 'Facts that the bus has not stored yet.',
      read: () => facts.waitingCount,
    });
  }
  return followRequests(registry, bus);
}

function followRequests(registry: MetricsRegistry, bus: Bus): Closeable {
  const durations = new Histogram<'command' | 'outcome'>({
    name: 'rtms_bus_request_duration_seconds',
    help: 'Duration of commands on the bus until the reply or the failure.',
    labelNames: ['command', 'outcome'],
    buckets,
    registers: [registry],
  });
  return bus.onRequestDone(({ subject, outcome, seconds }) => {
    durations.observe({ command: commandNameOf(subject), outcome }, seconds);
  });
}

import { systemClock, type Clock } from '@rtms/clock';
import type { TracesConfig } from '@rtms/config';

export interface Tracing {
  /** Sends the remaining spans within 3 s. */
  close(): Promise<void>;
}

export interface TracingOptions {
  config: TracesConfig;
  /** The service's name in log lines. The default service name of traces is `rtms-<service>`; `OTEL_SERVICE_NAME` overrides it. */
  service: string;
  nodeID: string;
  /** Receives export failures, at most once per minute. */
  logger: { warn(fields: object, message: string): void };
  /** Default: the system clock. */
  clock?: Clock;
}

const off: Tracing = { close: () => Promise.resolve() };

/** Starts tracing if the configuration enables it. Otherwise it loads no SDK, and spans are no-ops. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  if (!options.config.isOn) return off;
  const { openTracing } = await import('./open-tracing.js');
  return openTracing({ clock: systemClock, ...options });
}

import { systemClock, type Clock } from '@rtms/clock';
import type { TracesConfig } from '@rtms/config';

export interface Tracing {
  /** Sends what is left, for 3 s at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  config: TracesConfig;
  /** As in its log lines; `OTEL_SERVICE_NAME` names another than `rtms-…`. */
  service: string;
  nodeID: string;
  /** Told when traces cannot be sent, at most once a minute. */
  logger: { warn(fields: object, message: string): void };
  /** Default: the system's. */
  clock?: Clock;
}

const off: Tracing = { close: () => Promise.resolve() };

/** Without a configuration that wants traces nothing is loaded, and spans cost next to nothing. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  if (!options.config.isOn) return off;
  const { openTracing } = await import('./open-tracing.js');
  return openTracing({ clock: systemClock, ...options });
}

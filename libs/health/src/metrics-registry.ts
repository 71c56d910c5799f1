import { collectDefaultMetrics, Registry } from 'prom-client';

/** The process's own numbers: collected once, however many applications run in it. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** The numbers of one application: those that its parts register here, beside the process's. */
export class MetricsRegistry extends Registry {
  /** In Prometheus's text format. */
  async text(): Promise<string> {
    return `${await processRegistry().metrics()}\n${await this.metrics()}`;
  }
}

import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** The process's own numbers: collected once, however many applications run in it. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** One number, or one for each combination of labels. */
export type Reading = number | readonly Sample[];

export interface ReadMetric {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Asked when Prometheus asks. What cannot be read now, since this fails, is left out of that answer. */
  read: () => Reading | Promise<Reading>;
}

/** The numbers of one application: those that its parts register here, beside the process's. */
export class MetricsRegistry extends Registry {
  /** A number that goes up and down, read from the state of things. */
  gauge({ read, ...described }: ReadMetric): void {
    const gauge = new Gauge({
      ...this.described(described),
      collect: async () => {
        const samples = await samplesOf(read);
        gauge.reset();
        // Without labels it would go on as 0.
        if (!described.labels) gauge.remove();
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
    });
  }

  /** A number that only grows, counted elsewhere. */
  counter({ read, ...described }: ReadMetric): void {
    const counter = new Counter({
      ...this.described(described),
      collect: async () => {
        const samples = await samplesOf(read);
        counter.reset();
        if (!described.labels) counter.remove();
        for (const { labels, value } of samples) counter.inc(labels, value);
      },
    });
  }

  private described({ name, help, labels = [] }: Omit<ReadMetric, 'read'>) {
    return { name, help, labelNames: [...labels], registers: [this] };
  }

  /** In Prometheus's text format. */
  async text(): Promise<string> {
    return `${await processRegistry().metrics()}\n${await this.metrics()}`;
  }
}

async function samplesOf(read: ReadMetric['read']): Promise<readonly Sample[]> {
  try {
    const reading = await read();
    return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
  } catch {
    return [];
  }
}

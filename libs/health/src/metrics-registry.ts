import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** The metrics of the process, collected once even if several applications run in it. */
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

/** One value, or one for each combination of labels. */
export type Reading = number | readonly Sample[];

export interface ReadMetric {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Called for each scrape. If it fails, the scrape omits this metric. */
  read: () => Reading | Promise<Reading>;
}

/** The metrics of one application and of its process. */
export class MetricsRegistry extends Registry {
  /** Registers a gauge that `read` computes at each scrape. */
  gauge({ read, ...described }: ReadMetric): void {
    const gauge = new Gauge({
      ...this.described(described),
      collect: async () => {
        const samples = await samplesOf(read);
        gauge.reset();
        // Without labels, the metric would stay at 0.
        if (!described.labels) gauge.remove();
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
    });
  }

  /** Registers a counter whose value `read` returns at each scrape. */
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

  /** All metrics in Prometheus's text format. */
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

/** Counts events by kind. All kinds are declared, so that each has a value from the start. */
export class Tally<Kind extends string> {
  private readonly counts: Map<Kind, number>;

  constructor(kinds: readonly Kind[]) {
    this.counts = new Map(kinds.map(kind => [kind, 0]));
  }

  add(kind: Kind, count = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  /** Counts since the start of the process. */
  entries(): [Kind, number][] {
    return [...this.counts];
  }
}

import { byName, type Described } from './metrics-page.js';

export interface ExposedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The lines of a /metrics answer that are no comments. */
export function readSamples(text: string): ExposedSample[] {
  return text.split('\n').flatMap(line => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }];
  });
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));
}

/**
 * Metrics of a /metrics answer, as docs/metrics.md should describe them. Of the process metrics only those that the
 * page names.
 */
export function exposedMetrics(text: string, documented: readonly Described[]): Described[] {
  const samples = readSamples(text);
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  const named = new Set(documented.map(({ name }) => name));
  return types
    .filter(({ name }) => name.startsWith('rtms_') || named.has(name))
    .map(({ name, type }) => ({ name, type, labels: labelsOf(samples, name, type) }))
    .sort(byName);
}

function labelsOf(samples: readonly ExposedSample[], name: string, type: string): string[] {
  const own = type === 'histogram' ? `${name}_count` : name;
  return [...new Set(samples.filter(each => each.name === own).flatMap(({ labels }) => Object.keys(labels)))].sort();
}

/** Every value that each label has, over all samples of rtms_ metrics; `le` is a bucket's bound. */
export function labelValues(text: string): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { name, labels } of readSamples(text).filter(each => each.name.startsWith('rtms_'))) {
    for (const [label, value] of Object.entries(labels)) {
      if (label === 'le') continue;
      const key = `${name.replace(/_(?:bucket|sum|count)$/, '')} ${label}`;
      values.set(key, (values.get(key) ?? new Set()).add(value));
    }
  }
  return values;
}

/** Label values outside the allowed ones, e.g. `rtms_draining room=room_1`. */
export function unexpectedValues(text: string, allowed: Readonly<Record<string, readonly string[]>>): string[] {
  return [...labelValues(text)].flatMap(([key, values]) => {
    const label = key.split(' ')[1] ?? '';
    const known = allowed[key] ?? allowed[label] ?? [];
    return [...values].filter(value => !known.includes(value)).map(value => `${key}=${value}`);
  });
}

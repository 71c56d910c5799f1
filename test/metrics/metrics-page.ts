import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Service = 'gateway' | 'sfu' | 'transcoder' | 'ingest';

export interface Described {
  name: string;
  type: string;
  /** Sorted. */
  labels: string[];
}

const page = join(import.meta.dirname, '../../docs/metrics.md');
const headings: Record<Service, string> = {
  gateway: 'Gateway',
  sfu: 'SFU',
  transcoder: 'Transcoder',
  ingest: 'Ingest',
};

/** The metrics of a service in docs/metrics.md, by name. */
export function describedMetrics(service: Service): Described[] {
  return ['All services', headings[service]].flatMap(readTable).sort(byName);
}

function readTable(heading: string): Described[] {
  const text = readFileSync(page, 'utf8');
  const section = text.split(/^## /m).find(each => each.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').map(line => line.split('|').map(cell => cell.trim()));
  return rows.flatMap(([, name = '', type = '', labels = '']) =>
    name.startsWith('`') ? [{ name: name.replaceAll('`', ''), type, labels: namesIn(labels) }] : [],
  );
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(match => match[1] ?? '').sort();
}

export function byName(one: { name: string }, other: { name: string }): number {
  return one.name.localeCompare(other.name);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describedMetrics, type Service } from '../metrics/metrics-page.js';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const dashboardFolder = join(folder, 'grafana/dashboards');
const services: Service[] = ['gateway', 'sfu', 'transcoder', 'ingest'];

interface Panel {
  id: number;
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  /** A row has none. */
  targets?: { expr: string }[];
}

interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
}

interface RuleFile {
  groups: { rules: { record?: string; alert?: string; expr: string }[] }[];
}

const dashboards = readdirSync(dashboardFolder).map(
  file => JSON.parse(readFileSync(join(dashboardFolder, file), 'utf8')) as Dashboard,
);
const rules = ['recording', 'slo', 'alerts'].flatMap(name => {
  const file = parse(readFileSync(join(folder, `rules/${name}.yml`), 'utf8')) as RuleFile;
  return file.groups.flatMap(group => group.rules);
});

/** Series of Prometheus itself and of the alerts. */
const ofPrometheus = ['up', 'ALERTS'];
/** Series of CloudNativePG with its Barman plugin, of the NATS exporter (with the chart's prefix and without) and of cert-manager. */
const ofDependencies = [
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
  'cnpg_collector_up',
  'cnpg_pg_stat_archiver_last_archived_time',
  'cnpg_pg_stat_archiver_last_failed_time',
  ...['consumer_num_pending', 'server_total_message_bytes', 'server_max_storage'].flatMap(name => [
    `nats_${name}`,
    `jetstream_${name}`,
  ]),
  'certmanager_certificate_expiration_timestamp_seconds',
  'certmanager_certificate_ready_status',
];
const recorded = rules.flatMap(({ record }) => record ?? []);
const documented = services.flatMap(service =>
  describedMetrics(service).flatMap(({ name, type }) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
const known = new Set([...ofPrometheus, ...ofDependencies, ...recorded, ...documented]);

/** Names in an expression, except functions, labels and quoted text. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, '').replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on)\s*\([^)]*\)/g, ' ');
  const names = bare.match(/[a-zA-Z_][\w:]*(?!\w*\s*\()/g) ?? [];
  return names
    .filter(name => name.includes('_') || ofPrometheus.includes(name) || name.includes(':'))
    .filter(notFunction);
}

function notFunction(name: string): boolean {
  return !['histogram_quantile', 'label_values'].some(each => each.startsWith(name));
}

const expressions = [
  ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))),
  ...dashboards.flatMap(({ templating }) =>
    templating.list.flatMap(({ definition }) => definition?.replace(/^label_values\((\w+), \w+\)$/, '$1') ?? []),
  ),
  ...rules.map(({ expr }) => expr),
];

describe('dashboards and rules', () => {
  it('use only metrics that docs/metrics.md describes', () => {
    const unknown = expressions.flatMap(metricsIn).filter(name => !known.has(name));
    expect(unknown).toEqual([]);
    expect(metricsIn('rate(rtms_nothing_total{a="rtms_x"}[5m])')).toEqual(['rtms_nothing_total']);
  });

  it('show every metric of ours somewhere', () => {
    const used = new Set(expressions.flatMap(metricsIn).map(name => name.replace(/_(?:bucket|sum|count)$/, '')));
    const ours = new Set(services.flatMap(service => describedMetrics(service).map(({ name }) => name)));
    expect([...ours].filter(name => !used.has(name))).toEqual([]);
  });

  it('use every recorded value', () => {
    const used = new Set(expressions.flatMap(metricsIn));
    expect(recorded.filter(name => !used.has(name))).toEqual([]);
  });
});

describe('the dashboards', () => {
  it('exist for the platform and for each service, with unique names', () => {
    expect(dashboards.map(({ uid }) => uid).sort()).toEqual([
      ...['rtms-gateway', 'rtms-ingest', 'rtms-overview', 'rtms-sfu', 'rtms-transcoder'],
    ]);
    expect(new Set(dashboards.map(({ title }) => title)).size).toBe(5);
  });

  it.each(dashboards.map(each => [each.uid, each] as const))('%s: no panel lies on another', (_uid, { panels }) => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}:${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.every(({ title }) => title !== '')).toBe(true);
    expect(panels.filter(({ type, targets }) => type !== 'row' && !targets?.length)).toEqual([]);
  });

  it('let the user choose one of several nodes', () => {
    for (const { uid, templating } of dashboards.filter(each => each.uid !== 'rtms-overview'))
      expect([uid, ...templating.list.map(({ name }) => name)]).toEqual([uid, 'datasource', 'node']);
  });

  it('are in the folder of Grafana’s provider', () => {
    const provided = parse(readFileSync(join(folder, 'grafana/provisioning/dashboards/rtms.yml'), 'utf8')) as {
      providers: { options: { path: string } }[];
    };
    expect(provided.providers[0]?.options.path).toBe('/var/lib/grafana/dashboards');
  });
});

import { isMap, parseDocument, visit } from 'yaml';
import { options } from './rules.js';
import { conditionAt, opposite, TemplateLines } from './template-lines.js';
import type { FoundValue, Mapping, Sides } from './template-lines.js';

const head =
  '{{- /* Made by `npm run deploy:chart` from deploy/base, deploy/overlays and deploy/routes: change those. */}}\n';

/** An object of Kubernetes. */
export type RenderedObject = Mapping & { kind: string; metadata: { name: string; namespace?: string } };

/** The objects that Kustomize renders. */
export interface Rendered {
  production: readonly RenderedObject[];
  single: readonly RenderedObject[];
  /** By the kind of routes. */
  routes: Readonly<Record<string, readonly RenderedObject[]>>;
}

export interface Chart {
  /** File below `templates/` → content. */
  templates: Map<string, string>;
  values: FoundValue[];
}

/** Files of templates, and the objects in them. */
const files: readonly (readonly [RegExp, string])[] = [
  [/\/turn(?:-script)?:/, 'turn'],
  [/\/ingest(?:-config|-bus)?:/, 'ingest'],
  [/^(?:PodMonitor|PrometheusRule)\/|^ConfigMap\/dashboard-/, 'monitoring'],
  [/^(?:Certificate|Issuer)\//, 'bus-certificates'],
  [/^ScaledObject\/|\/deletion-costs:/, 'autoscaling'],
  [/^PriorityClass\//, 'priority-classes'],
  [/^NetworkPolicy\//, 'network-policies'],
  [/\/(?:gateway|migrate)(?:-config)?:/, 'gateway'],
  [/\/sfu(?:-config)?:/, 'sfu'],
  [/\/transcoder(?:-config|-media)?:/, 'transcoder'],
  [/\/nats(?:-config)?:/, 'nats'],
  [/\/postgres/, 'postgresql'],
];

/** Makes the templates of the chart, and collects its values. */
export function makeChart({ production, single, routes }: Rendered): Chart {
  const chart: Chart = { templates: new Map(), values: [] };
  const one = byKey(production);
  const other = byKey(single);
  for (const [key, object] of new Map([...one, ...other])) {
    const sides = { production: one.get(key), single: other.get(key) };
    const title = titleOf(object);
    // Secrets come before the chart, so namespaces do: Helm takes over none that exists.
    if (object.kind === 'Namespace') continue;
    const file = files.find(([pattern]) => pattern.test(title))?.[1];
    if (file === undefined) throw new Error(`tools/deploy/chart/chart.ts names no file for ${title}`);
    const both = { production: sides.production ?? object, single: sides.single ?? object };
    add(chart, `${file}.yaml`, { title, ...both }, conditionOf(title, sides));
  }
  for (const [kind, objects] of Object.entries(routes)) {
    for (const object of objects) {
      const both = { title: titleOf(object), production: object, single: object };
      add(chart, `routes-${kind}.yaml`, both, `eq .Values.routes.kind "${kind}"`);
    }
  }
  return chart;
}

const services = ['gateway', 'sfu', 'transcoder', 'ingest'];

/** Sets the defaults in a file of values, and keeps its comments. */
export function withDefaults(text: string, found: readonly FoundValue[], side: 'production' | 'single'): string {
  const document = parseDocument(text);
  // The first one of a value knows both sides.
  const first = new Map([...found].reverse().map(each => [each.value, each]));
  for (const service of services) forget(document, service, first, side);
  for (const { value, production, single } of first.values()) {
    // A value without a default of production has the file's own; the other file has only differences.
    const isOwn = side === 'production' ? production === undefined : single === undefined;
    const isSame = side === 'single' && JSON.stringify(single) === JSON.stringify(production);
    if (isOwn || isSame) continue;
    document.setIn(value.split('.'), document.createNode(side === 'production' ? production : single));
  }
  visit(document, { Map: (_key, map) => void (map.flow = map.items.length === 0) });
  return document.toString({ lineWidth: 120, singleQuote: true });
}

/** Removes what Kustomize no longer has, or no longer has otherwise than production. */
function forget(
  document: ReturnType<typeof parseDocument>,
  service: string,
  found: ReadonlyMap<string, FoundValue>,
  side: 'production' | 'single',
): void {
  const config: unknown = document.getIn([service, 'config']);
  for (const key of isMap(config) ? config.items.map(each => String(each.key)) : []) {
    const kept = found.get(`${service}.config.${key}`);
    if (!kept || side === 'single') document.deleteIn([service, 'config', key]);
  }
  if (side === 'production') return;
  for (const key of [...found.keys()].filter(each => each.startsWith(`${service}.`) && !each.includes('.config.'))) {
    if (document.hasIn(key.split('.'))) document.deleteIn(key.split('.'));
  }
}

function add(
  chart: Chart,
  file: string,
  { title, ...sides }: Sides<RenderedObject> & { title: string },
  when: string | undefined,
): void {
  const lines = new TemplateLines(title);
  const body = lines.of(sides).join('\n');
  // Of all kinds of routes, the file of values itself has the defaults.
  if (!file.startsWith('routes-')) chart.values.push(...lines.found);
  const text = when === undefined ? `---\n${body}\n` : `{{- if ${when} }}\n---\n${body}\n{{- end }}\n`;
  chart.templates.set(file, `${chart.templates.get(file) ?? head}${text}`);
}

/** The condition of a whole object; undefined: the chart always has it. */
function conditionOf(title: string, sides: Sides<RenderedObject>): string | undefined {
  const parts = [options.find(({ at }) => at.test(title))?.when, conditionOfSides(title, sides)].filter(Boolean);
  return parts.length === 2
    ? `and ${parts.map(each => (each?.includes(' ') ? `(${each})` : each)).join(' ')}`
    : parts[0];
}

function conditionOfSides(title: string, { production, single }: Sides<RenderedObject>): string | undefined {
  if (production && single) return undefined;
  const condition = conditionAt(title);
  if (!condition) throw new Error(`Only one overlay has ${title} tools/deploy/chart/rules.ts needs a condition for it`);
  return production ? condition.when : (condition.otherwise ?? opposite(condition.when));
}

function byKey(objects: readonly RenderedObject[]): Map<string, RenderedObject> {
  const named = objects.map(object => withoutHash(object));
  return new Map(named.map(object => [`${object.metadata.namespace ?? ''} ${titleOf(object)}`, object]));
}

function titleOf({ kind, metadata }: RenderedObject): string {
  return `${kind}/${metadata.name}:`;
}

/** Kustomize ends the names of config maps with a hash of their content. */
export function withoutHash<Type extends object>(object: Type): Type {
  const hashed =
    /"((?:gateway|sfu|transcoder|ingest|nats)-config|deletion-costs|turn-script|dashboard-\w+)-[a-z0-9]{10}"/g;
  return JSON.parse(JSON.stringify(object).replaceAll(hashed, '"$1"')) as Type;
}

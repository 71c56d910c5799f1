import type { Manifest, Loose } from './render.js';

/** A pod as a workload describes it. */
export interface Pod {
  /** `Deployment rtms/gateway` */
  title: string;
  kind: string;
  name: string;
  namespace: string;
  labels: Record<string, string>;
  spec: Loose;
  /** Containers that run as long as the pod. */
  containers: Loose[];
  initContainers: Loose[];
}

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];

export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests
    .filter(({ kind }) => workloads.includes(kind))
    .map(({ kind, metadata, spec }) => ({ kind, metadata, template: (spec.jobTemplate?.spec ?? spec).template }))
    .map(({ kind, metadata, template }) => ({
      title: `${kind} ${metadata.namespace}/${metadata.name}`,
      kind,
      name: metadata.name,
      namespace: metadata.namespace ?? 'default',
      labels: template.metadata?.labels ?? {},
      spec: template.spec,
      containers: template.spec.containers,
      initContainers: template.spec.initContainers ?? [],
    }));
}

export function allContainers(pod: Pod): { title: string; container: Loose }[] {
  return [...pod.initContainers, ...pod.containers].map((container: Loose) => ({
    title: `${pod.title} ${container.name}`,
    container,
  }));
}

/** Whether labels match a selector; an empty selector matches all. */
export function selects(selector: Loose, labels: Record<string, string>): boolean {
  const expressions: Loose[] = selector?.matchExpressions ?? [];
  if (expressions.some(({ operator }) => operator !== 'In')) throw new Error('Only In is known here');
  return (
    Object.entries(selector?.matchLabels ?? {}).every(([label, value]) => labels[label] === value) &&
    expressions.every(({ key, values }) => values.includes(labels[key]))
  );
}

import type { Manifest } from './render.js';

/** A pod as a workload describes it. */
export interface Pod {
  /** `Deployment rtms/gateway` */
  title: string;
  kind: string;
  name: string;
  namespace: string;
  labels: Record<string, string>;
  spec: any;
  /** Those that run as long as the pod does. */
  containers: any[];
  initContainers: any[];
}

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests
    .filter(({ kind }) => workloads.includes(kind))
    .map(({ kind, metadata, spec }) => ({
      title: `${kind} ${metadata.namespace}/${metadata.name}`,
      kind,
      name: metadata.name,
      namespace: metadata.namespace ?? 'default',
      labels: spec.template.metadata?.labels ?? {},
      spec: spec.template.spec,
      containers: spec.template.spec.containers,
      initContainers: spec.template.spec.initContainers ?? [],
    }));
}

export function allContainers(pod: Pod): { title: string; container: any }[] {
  return [...pod.initContainers, ...pod.containers].map((container: any) => ({
    title: `${pod.title} ${container.name}`,
    container,
  }));
}

/** Whether labels are what a selector of labels asks for; an empty selector takes all. */
export function selects(selector: any, labels: Record<string, string>): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([label, value]) => labels[label] === value);
}

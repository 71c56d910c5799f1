import type { Pod } from './pods.js';
import { ofKind, type Manifest, type Loose } from './render.js';

/** Examples for the values that the cluster fills in. */
const fields: Readonly<Record<string, string>> = {
  'metadata.name': 'node-0',
  'spec.nodeName': 'machine-0',
  'status.hostIP': '10.0.3.7',
  'status.podIP': '10.1.2.3',
};

/**
 * The variables that a container is started with: those of its config maps, then its own, `$(…)` put in. `secret`
 * returns the content of a secret or of its file.
 */
export function environmentOf(
  manifests: readonly Manifest[],
  pod: Pod,
  container: Loose,
  secret: (variable: string) => string,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) {
    const map = ofKind(manifests, 'ConfigMap').find(
      ({ metadata }) => metadata.name === configMapRef.name && metadata.namespace === pod.namespace,
    );
    Object.assign(environment, map?.data);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const own = valueFrom?.fieldRef ? fields[valueFrom.fieldRef.fieldPath] : valueFrom ? secret(name) : value;
    environment[name] = String(own).replaceAll(/\$\(([A-Z_]+)\)/g, (_all, other: string) => environment[other] ?? '');
  }
  return environment;
}

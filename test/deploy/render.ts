import { fileURLToPath } from 'node:url';
import { parseObjects, renderKustomize } from '../../tools/deploy/kustomize.mjs';

/** Any content of a document: schemas check it, not types. */
export type Loose = ReturnType<JSON['parse']>;

/** Any object of Kubernetes; schemas check its content. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: Loose;
  data?: Record<string, string>;
  [field: string]: Loose;
}

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Output of `kubectl kustomize` for a directory below deploy/; KUBECTL names another program. */
export function render(directory: string): Manifest[] {
  return renderKustomize(directory) as Manifest[];
}

export function parseManifests(text: string): Manifest[] {
  return parseObjects(text) as Manifest[];
}

/** `Deployment rtms/gateway` */
export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}

export function ofKind(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

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
  const { status, stdout, stderr } = spawnSync(
    process.env['KUBECTL'] ?? 'kubectl',
    ['kustomize', `deploy/${directory}`],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`kubectl kustomize deploy/${directory}: ${stderr}`);
  return parseManifests(stdout);
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map(document => document.toJS() as Manifest | null)
    .filter(manifest => manifest !== null);
}

/** `Deployment rtms/gateway` */
export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}

export function ofKind(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

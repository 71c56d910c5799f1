import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../setup/repository.mjs';
import { renderKustomize } from '../kustomize.mjs';
import { makeChart, withDefaults, type RenderedObject } from './chart.js';

const kinds = ['gateway-api', 'traefik', 'ingress-nginx'];

/** The objects of ingest nodes. */
function ingestOf(overlay: string): RenderedObject[] {
  return (renderKustomize(overlay) as RenderedObject[]).filter(({ metadata }) => metadata.name.startsWith('ingest'));
}

/** The files of deploy/helm/rtms that are made of Kustomize's: path → content. */
export function madeChart(): Map<string, string> {
  const { templates, values } = makeChart({
    // The overlays with coturn and ingest nodes.
    production: [...(renderKustomize('examples/turn') as RenderedObject[]), ...ingestOf('examples/ingest/production')],
    single: [
      ...(renderKustomize('overlays/single-node') as RenderedObject[]),
      ...ingestOf('examples/ingest/single-node'),
    ],
    routes: Object.fromEntries(kinds.map(kind => [kind, renderKustomize(`routes/${kind}`)])),
  });
  const read = (file: string): string => readFileSync(join(repositoryRoot, 'deploy/helm/rtms', file), 'utf8');
  return new Map([
    ...[...templates].map(([file, content]) => [`templates/${file}`, content] as const),
    ['values.yaml', withDefaults(read('values.yaml'), values, 'production')],
    ['values-single-node.yaml', withDefaults(read('values-single-node.yaml'), values, 'single')],
  ]);
}

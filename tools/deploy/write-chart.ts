// npm run deploy:chart: makes the templates and default values of the Helm chart from what Kustomize renders.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../lint/formatted.mjs';
import { repositoryRoot } from '../setup/repository.mjs';
import { madeChart } from './chart/made-chart.js';

const folder = join(repositoryRoot, 'deploy/helm/rtms');
const made = madeChart();
const templates = join(folder, 'templates');
mkdirSync(templates, { recursive: true });
// Of objects that Kustomize no longer has.
for (const file of readdirSync(templates).filter(each => each.endsWith('.yaml'))) {
  const isMade = readFileSync(join(templates, file), 'utf8').includes('npm run deploy:chart');
  if (isMade && !made.has(`templates/${file}`)) rmSync(join(templates, file));
}
for (const [file, content] of made) {
  const path = join(folder, file);
  writeFileSync(path, file.startsWith('templates/') ? content : await formatted(path, content));
}

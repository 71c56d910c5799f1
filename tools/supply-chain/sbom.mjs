// npm run sbom [file]: writes the production packages as a CycloneDX document; default sbom/rtms.cdx.json.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';

const file = resolve(process.argv[2] ?? join(repositoryRoot, 'sbom', 'rtms.cdx.json'));
const wanted = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
// Packages of the lock file, installed or not.
const sbom = execFileSync('npm', ['sbom', '--package-lock-only', ...wanted], {
  cwd: repositoryRoot,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: 64 * 1024 * 1024,
});
/** @typedef {{ ref: string, dependsOn?: string[] }} Dependency */
const document = JSON.parse(sbom);
// `--omit dev` omits too much: also packages that production and development share.
/** @param {{ properties?: { name: string, value: string }[] }} component */
const isInstalled = ({ properties = [] }) =>
  !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
document.components = document.components.filter(isInstalled);
/** @type {Set<string>} */
const refs = new Set([document.metadata.component, ...document.components].map(each => each['bom-ref']));
document.dependencies = document.dependencies
  .filter((/** @type {Dependency} */ { ref }) => refs.has(ref))
  .map((/** @type {Dependency} */ { ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter(each => refs.has(each)),
  }));
// npm takes the folder's name.
document.metadata.component.name = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')).name;
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${file}: ${document.components.length} packages\n`);

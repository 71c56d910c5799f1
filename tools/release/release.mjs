// npm run release -- [--out release] [--registry ghcr.io/acme] [--push] [--no-images] [--no-site]: makes everything that a release consists of.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../setup/repository.mjs';
import {
  obstacles,
  packChart,
  packManifests,
  packSite,
  versionOf,
  writeChecksums,
  writeImageSboms,
} from './artifacts.mjs';
import { buildCommands, digestIn, findBuilder } from './images.mjs';
import { packLib, publishedLibs, writeOpenApi } from './packages.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    registry: { type: 'string', default: 'registry.example.com' },
    push: { type: 'boolean', default: false },
    'no-images': { type: 'boolean', default: false },
    'no-site': { type: 'boolean', default: false },
  },
});
/** @param {string} line */
const say = line => void process.stdout.write(`${line}\n`);
/** @param {string[]} lines @returns {never} */
function stop(lines) {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
}

const root = repositoryRoot;
const out = resolve(values.out);
const version = versionOf(root);
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const problems = obstacles(version, { changelog: read('CHANGELOG.md'), chart: read('deploy/helm/rtms/Chart.yaml') });
if (problems.length > 0) stop(problems);

const builder = values['no-images'] ? undefined : findBuilder();
if (values.push && !builder) stop(['--push needs Docker with a running buildx builder: docker buildx create --use']);
// Nothing of an earlier release may get into the checksums.
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

say(`Release ${version} into ${out}`);
say(`  chart       ${packChart(root, out)}`);
say(`  manifests   ${packManifests(root, out)}`);
for (const lib of publishedLibs(root)) say(`  library     ${await packLib(root, lib, out)}`);
say(`  OpenAPI     ${await writeOpenApi(root, out)}`);
say(`  site        ${values['no-site'] ? 'not built: --no-site was given' : buildSite()}`);
for (const file of await writeImageSboms(root, out)) say(`  packages    ${file}`);
if (builder) buildImages(builder.platforms);
else say('  images      not built: this machine has no running builder (docker buildx), or --no-images was given');
writeChecksums(out);
say(`  checksums   SHA256SUMS of ${readdirSync(out).length - 1} files`);

function buildSite() {
  const folder = mkdtempSync(join(tmpdir(), 'rtms-site-'));
  try {
    const words = [join(root, 'tools/site/site.mjs'), 'build', '--out', join(folder, 'site')];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    if (status !== 0) stop([stderr, 'The documentation site was not built.']);
    return packSite(root, out, join(folder, 'site'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string[]} platforms */
function buildImages(platforms) {
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { registry, push } = values;
  /** @type {Record<string, string>} */
  const digests = {};
  for (const { service, words, digests: file } of buildCommands({
    version,
    revision,
    registry,
    platforms,
    push,
    out,
  })) {
    const { status } = spawnSync('docker', words, { cwd: root, stdio: 'inherit' });
    if (status !== 0) stop([`docker ${words.join(' ')} ended with ${status}`]);
    digests[service] = digestIn(file);
    rmSync(file);
    say(`  image       ${registry}/rtms-${service}@${digests[service]} (${platforms.join(', ')})`);
  }
  // `helm install -f`, and what is signed.
  writeFileSync(join(out, 'image-digests.yaml'), JSON.stringify({ image: { registry, digests } }, null, 2));
}

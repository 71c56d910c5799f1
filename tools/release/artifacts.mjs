import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOut } from '../images/image-tree.mjs';
import { serviceImages } from '../images/service-images.mjs';
import { partOf, productionSbom } from '../supply-chain/production-sbom.mjs';

/** @param {string} root */
export const versionOf = root => /** @type {string} */ (manifestOf(root).version);

/** @param {string} folder */
const manifestOf = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Faults that keep a version from being released.
 * @param {string} version
 * @param {{ changelog: string, chart: string }} files
 */
export function obstacles(version, { changelog, chart }) {
  const named = version.replaceAll('.', String.raw`\.`);
  return [
    ...(new RegExp(`^## ${named} – \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog)
      ? []
      : [`CHANGELOG.md has no section "## ${version} – <date>". Give "Unreleased" this name, and begin a new one.`]),
    ...(new RegExp(`^version: ${named}$`, 'm').test(chart) && new RegExp(`^appVersion: ${named}$`, 'm').test(chart)
      ? []
      : [`deploy/helm/rtms/Chart.yaml has another version or appVersion. Set both to ${version}.`]),
  ];
}

/**
 * An archive whose bytes depend on the content only.
 * @param {string} folder
 * @param {string} file
 * @param {string} prefix directory in the archive
 */
function pack(folder, file, prefix) {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
  const what = ['--dereference', '--exclude=kustomization.yaml', `--transform=s,^\\.,${prefix},`];
  const tar = execFileSync('tar', ['-c', ...same, ...what, '-C', folder, '.'], { maxBuffer: 256 * 1024 * 1024 });
  writeFileSync(file, execFileSync('gzip', ['-9', '-n'], { input: tar, maxBuffer: 256 * 1024 * 1024 }));
}

/** The Helm chart. @param {string} root @param {string} out */
export function packChart(root, out) {
  const file = `rtms-${versionOf(root)}.tgz`;
  pack(join(root, 'deploy/helm/rtms'), join(out, file), 'rtms');
  return file;
}

/** The documentation site, for any web server. @param {string} root @param {string} out @param {string} site a folder with the built site */
export function packSite(root, out, site) {
  const file = `rtms-docs-${versionOf(root)}.tgz`;
  pack(site, join(out, file), 'rtms-docs');
  return file;
}

/** The manifests of Kustomize. @param {string} root @param {string} out */
export function packManifests(root, out) {
  const file = `rtms-kustomize-${versionOf(root)}.tgz`;
  const folder = mkdtempSync(join(tmpdir(), 'rtms-manifests-'));
  try {
    for (const each of ['base', 'overlays', 'routes', 'examples', 'charts', 'nats', 'monitoring']) {
      cpSync(join(root, 'deploy', each), join(folder, each), { recursive: true });
    }
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    const tar = execFileSync('tar', ['-c', ...same, '--transform=s,^\\.,deploy,', '-C', folder, '.']);
    writeFileSync(join(out, file), execFileSync('gzip', ['-9', '-n'], { input: tar }));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return file;
}

/**
 * The npm packages of each image. Its packages of Debian are in the attestation of the builder.
 * @param {string} root a checkout that is built
 * @param {string} out
 */
export async function writeImageSboms(root, out) {
  const all = productionSbom();
  const files = [];
  for (const service of Object.keys(serviceImages)) {
    const folder = mkdtempSync(join(tmpdir(), `rtms-${service}-`));
    try {
      await layOut(root, service, folder);
      const part = partOf(all, `rtms-${service}`, manifestOf(folder).dependencies);
      const file = `rtms-${service}.cdx.json`;
      writeFileSync(join(out, file), `${JSON.stringify(part, null, 2)}\n`);
      files.push(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return files;
}

/** SHA256SUMS over all files of the release, as `sha256sum --check` reads it. @param {string} out */
export function writeChecksums(out) {
  const files = readdirSync(out).filter(file => file !== 'SHA256SUMS' && statSync(join(out, file)).isFile());
  const lines = files.sort().map(
    file =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedPackages } from './imported-packages.mjs';
import { packagesOfAll, serviceImages } from './service-images.mjs';

/** @param {string} root @returns {{ version: string, license: string, engines: object, dependencies: Record<string, string> }} */
const manifestOf = root => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A package that runs in a service must be pinned in the manifest. @param {string} root @param {string[]} names */
function pinned(root, names) {
  const { dependencies } = manifestOf(root);
  return Object.fromEntries(
    names.map(name => {
      const version = dependencies[name];
      if (version === undefined) throw new Error(`${name} is imported by a service and no dependency of package.json`);
      return [name, version];
    }),
  );
}

/** Only builds need declarations and maps. @param {string} path */
const runs = path => !/(\.d\.ts|\.map|\.tsbuildinfo)$/.test(path);

/** @param {string} root @param {string} target @param {string} folder */
function copyCompiled(root, target, folder) {
  cpSync(join(root, folder, 'package.json'), join(target, folder, 'package.json'));
  cpSync(join(root, folder, 'dist'), join(target, folder, 'dist'), { recursive: true, filter: runs });
}

/** An optional import that no image needs. */
const unwanted = ['@ffmpeg-installer/ffmpeg'];

/**
 * Writes the content of a service's image: its compiled files, those of its libs, a manifest with their packages, and
 * the lock file. `npm install` there then adds node_modules.
 * @param {string} root a checkout that is built
 * @param {string} service
 * @param {string} target
 */
export async function layOut(root, service, target) {
  const image = serviceImages[service];
  if (!image) throw new Error(`${service} is no service: ${Object.keys(serviceImages).join(', ')}`);
  const { packages, libs } = await importedPackages(root, image.entries);
  const names = [...new Set([...packages, ...image.packages, ...packagesOfAll])].filter(
    name => !unwanted.includes(name),
  );
  mkdirSync(target, { recursive: true });
  for (const folder of [`apps/${service}`, ...libs.map(lib => `libs/${lib}`)]) copyCompiled(root, target, folder);
  for (const folder of image.folders) cpSync(join(root, folder), join(target, folder), { recursive: true });
  for (const file of ['package-lock.json', '.npmrc', 'LICENSE']) cpSync(join(root, file), join(target, file));
  const { version, license, engines } = manifestOf(root);
  const manifest = { name: 'rtms', version, private: true, license, type: 'module', engines };
  const dependencies = pinned(root, names.sort());
  const workspaces = ['apps/*', 'libs/*'];
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ ...manifest, workspaces, dependencies }, null, 2)}\n`,
  );
}

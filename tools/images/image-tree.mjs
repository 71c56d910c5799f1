import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFile, servicePrograms, services } from '../bundle/service-bundles.mjs';
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

/** An optional import that no image needs. */
const unwanted = ['@ffmpeg-installer/ffmpeg'];

/**
 * Writes the content of a service's image: its bundle, a manifest with the packages that it imports, and the lock file. `npm install`
 * there then adds node_modules. The bundle needs a few of the packages, but all of them bring their licences, and scanners find them.
 * @param {string} root a checkout that is built
 * @param {string} name of the service
 * @param {string} target
 */
export async function layOut(root, name, target) {
  const service = services.find(each => each === name);
  if (!service) throw new Error(`${name} is no service: ${services.join(', ')}`);
  const image = serviceImages[service];
  const imported = await importedPackages(
    root,
    servicePrograms[service].map(program => compiledFile(service, program)),
  );
  const names = [...new Set([...imported, ...image.packages, ...packagesOfAll])].filter(
    each => !unwanted.includes(each),
  );
  mkdirSync(target, { recursive: true });
  const bundle = join(root, 'apps', service, 'dist');
  const compiled = join(bundle, 'compiled');
  cpSync(bundle, join(target, 'apps', service, 'dist'), { recursive: true, filter: path => path !== compiled });
  for (const folder of image.folders) cpSync(join(root, folder), join(target, folder), { recursive: true });
  for (const file of ['package-lock.json', '.npmrc', 'LICENSE']) cpSync(join(root, file), join(target, file));
  const { version, license, engines } = manifestOf(root);
  const manifest = { name: 'rtms', version, private: true, license, type: 'module', engines };
  const dependencies = pinned(root, names.sort());
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`);
}

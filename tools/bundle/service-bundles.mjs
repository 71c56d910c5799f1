import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fingerprint } from '../setup/fingerprint.mjs';

const gatewayPrograms = ['main', 'platform/database/migrate', 'admin/cli/rtms-admin', 'admin/cli/seed-demo'];
/** The file that a thread of the node runs. */
const leaseWorker = 'lease-worker';
const nodePrograms = ['main', leaseWorker];

/** Programs of each service, without the ending: `apps/<service>/dist/<program>.js` is the bundle. */
export const servicePrograms = {
  gateway: gatewayPrograms,
  sfu: nodePrograms,
  transcoder: nodePrograms,
  ingest: nodePrograms,
};

/** @typedef {keyof typeof servicePrograms} Service */

export const services = /** @type {Service[]} */ (Object.keys(servicePrograms));

/** The compiled file of a program, relative to the root. @param {Service} service @param {string} program */
export function compiledFile(service, program) {
  return program === leaseWorker
    ? 'libs/node/dist/lease/lease-worker.js'
    : `apps/${service}/dist/compiled/${program}.js`;
}

/** Packages with a native part, which they look for beside themselves. */
const separatePackages = ['@node-rs/argon2', '@ffmpeg-installer/ffmpeg', 'node-datachannel'];

/** Nest tries to import these packages, and does without them. */
const missingPackages = ['@nestjs/microservices', '@nestjs/websockets', 'class-transformer'];

/** Packages in the format of CommonJS expect these names. */
const namesOfCommonJs = `
import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as pathOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = pathOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);
`.trim();

/**
 * Decorators of all files need `reflect-metadata`. A chunk that several programs share may run before the import of the program.
 * @param {string} compiled
 */
const programText = compiled => `#!/usr/bin/env node
import 'reflect-metadata';
process.setSourceMapsEnabled(true);
await import(${JSON.stringify(compiled)});
`;

/** The entry points. @param {string} root @param {Service} service @returns {import('esbuild').Plugin} */
const entryPoints = (root, service) => ({
  name: 'entry-points',
  setup(bundle) {
    bundle.onResolve({ filter: /^program:/ }, ({ path }) => ({
      path: path.slice('program:'.length),
      namespace: 'program',
    }));
    bundle.onLoad({ filter: /./, namespace: 'program' }, ({ path }) => ({
      contents: programText(join(root, compiledFile(service, path))),
      resolveDir: root,
    }));
  },
});

/** This ES module would load a second TypeORM, from `node_modules`. @type {import('esbuild').Plugin} */
const oneTypeorm = {
  name: 'one-typeorm',
  setup(bundle) {
    bundle.onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('const require = createRequire(import.meta.url);', ''),
    }));
  },
};

/**
 * Leaves packages out of the source maps. Node.js parses a whole map for the first stack: with packages, an SFU needs 60 MB more and a
 * quarter of a second. esbuild drops a position that the map of its file does not have.
 * @type {import('esbuild').Plugin}
 */
const packagesUnmapped = {
  name: 'packages-unmapped',
  setup(bundle) {
    bundle.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const map = { version: 3, sources: [''], mappings: `${';'.repeat(text.split('\n').length)}AAAA` };
      const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
      return { contents: `${text}\n//# sourceMappingURL=data:application/json;base64,${encoded}` };
    });
  },
};

/**
 * Bundles the compiled programs of a service with the packages that they import, see docs/decisions/bundles.md.
 * @param {string} root a checkout that is compiled
 * @param {Service} service
 * @param {string} [folder] default: `dist` of the service
 */
export async function bundleService(root, service, folder = join(root, 'apps', service, 'dist')) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: servicePrograms[service].map(program => ({ in: `program:${program}`, out: program })),
    outdir: folder,
    ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20', tsconfigRaw: '{}' },
    // Nest and TypeORM use the names of classes.
    keepNames: true,
    // Half as much to read. A crash prints the line of code, so lines are not endless.
    ...{ minifyWhitespace: true, lineLimit: 500 },
    ...{ sourcemap: 'linked', sourcesContent: false, metafile: true, logLevel: 'silent' },
    banner: { js: namesOfCommonJs },
    external: [...separatePackages, ...missingPackages],
    plugins: [entryPoints(root, service), oneTypeorm, packagesUnmapped],
  });
  removeOthers(folder, new Set(Object.keys(metafile.outputs).map(path => resolve(root, path))));
  return metafile;
}

/** Removes files of earlier builds. @param {string} folder @param {Set<string>} kept */
function removeOthers(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === join(folder, 'compiled')) continue;
    if (entry.isDirectory()) removeOthers(path, kept);
    else if (!kept.has(path)) rmSync(path, { force: true });
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Bundles the services whose files have changed; esbuild uses all cores. @param {string} root */
export async function bundleServices(root) {
  await Promise.all(services.map(service => bundleChanged(root, service)));
}

/** @param {string} root @param {Service} service */
async function bundleChanged(root, service) {
  const stamp = join(root, 'node_modules', `.rtms-bundled-${service}`);
  const current = fingerprintOf(root, service);
  if (isBundled(root, service) && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return;
  // A failed build leaves output that must have no stamp.
  rmSync(stamp, { force: true });
  await bundleService(root, service);
  writeFileSync(stamp, current);
}

/** One hash of the compiled files that the service may import, of the packages and of this file. @param {string} root @param {Service} service */
function fingerprintOf(root, service) {
  const libs = readdirSync(join(root, 'libs')).map(lib => join(root, 'libs', lib, 'dist'));
  const folders = [join(root, 'apps', service, 'dist/compiled'), ...libs].filter(folder => existsSync(folder));
  const compiled = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.js'))
      .map(name => join(folder, name)),
  );
  return fingerprint(root, [...compiled.sort(), join(root, 'package-lock.json'), fileURLToPath(import.meta.url)]);
}

/** @param {string} root */
export function areServicesBundled(root) {
  return services.every(service => isBundled(root, service));
}

/**
 * Older versions compiled to the paths of the bundles, so their files must not pass for these.
 * @param {string} root @param {Service} service
 */
function isBundled(root, service) {
  const files = servicePrograms[service].map(program => join(root, 'apps', service, 'dist', `${program}.js`));
  return files.every(file => existsSync(file) && readFileSync(file, 'utf8').includes('createRequireOfBundle'));
}

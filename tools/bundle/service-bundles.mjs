import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

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
    plugins: [entryPoints(root, service), oneTypeorm],
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
    else if (!kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Bundles all services at once: esbuild uses all cores. @param {string} root */
export async function bundleServices(root) {
  await Promise.all(services.map(service => bundleService(root, service)));
}

/** @param {string} root */
export function areServicesBundled(root) {
  return services.every(service =>
    servicePrograms[service].every(program => existsSync(join(root, 'apps', service, 'dist', `${program}.js`))),
  );
}

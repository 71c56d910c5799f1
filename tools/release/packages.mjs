import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { readDocuments } from '../openapi/api-types.mjs';

/**
 * @typedef {string | { types?: Target, import?: Target, require?: Target, default?: Target }} Target a value of `exports`
 * @typedef {{ name: string, version: string, private?: boolean, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, bin?: Record<string, string>, scripts?: Record<string, string>,
 *   exports: Record<string, Target> }} Manifest
 */

/** @param {string} folder @returns {Manifest} */
const manifestOf = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The libraries that npm gets: those whose manifest is not `private`. @param {string} root */
export function publishedLibs(root) {
  const libs = readdirSync(join(root, 'libs'));
  return libs.filter(lib => !manifestOf(join(root, 'libs', lib)).private).sort();
}

/**
 * Packs a library as npm takes it, and returns the name of the file. The files that the manifest names are bundles. They contain our
 * other libraries, which npm does not have; all other packages stay dependencies.
 * @param {string} root a checkout that is built
 * @param {string} lib
 * @param {string} out
 */
export async function packLib(root, lib, out) {
  const source = join(root, 'libs', lib);
  const folder = mkdtempSync(join(tmpdir(), `rtms-${lib}-`));
  try {
    const manifest = manifestOf(source);
    checkDependencies(manifest, await bundle(source, folder, filesOf(manifest)));
    // `scripts` keeps npm from publishing the folder of the workspace. `devDependencies` has our libraries that are bundled.
    const { scripts: _, devDependencies: __, ...published } = manifest;
    const text = JSON.stringify({ ...published, version: manifestOf(root).version }, null, 2);
    writeFileSync(join(folder, 'package.json'), `${text}\n`);
    writeFileSync(join(folder, 'README.md'), withoutRelativeLinks(readFileSync(join(source, 'README.md'), 'utf8')));
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', out];
    const output = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return /** @type {string} */ (JSON.parse(output)[0].filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The files in `dist` that the manifest names, such as `index.cjs`.
 * @param {Pick<Manifest, 'exports' | 'bin'>} manifest
 */
function filesOf({ exports, bin = {} }) {
  /** @param {Target} target @returns {string[]} */
  const leaves = target => (typeof target === 'string' ? [target] : Object.values(target).flatMap(leaves));
  const paths = [...Object.values(exports).flatMap(leaves), ...Object.values(bin)];
  return paths.filter(path => path.startsWith('./dist/')).map(path => path.slice('./dist/'.length));
}

/**
 * Bundles compiled files and their declarations. Returns the packages that they import.
 * @param {string} source folder of the library
 * @param {string} folder
 * @param {string[]} files
 */
async function bundle(source, folder, files) {
  const [compiled, dist] = [join(source, 'dist'), join(folder, 'dist')];
  const builds = [
    { ending: '.js', from: compiled, fromEnding: '.js', format: /** @type {const} */ ('esm') },
    // Beside no package.json with "type": "module", the bundler reads default exports of CommonJS as TypeScript does. With one it would
    // read them as Node.js does for ES modules: `require('openapi-fetch').default` would be missing.
    { ending: '.cjs', from: dist, fromEnding: '.js', format: /** @type {const} */ ('cjs') },
    // The declarations of both formats have the same text. Their endings say which module they describe.
    { ending: '.d.ts', from: compiled, fromEnding: '.d.ts', format: /** @type {const} */ ('esm') },
    { ending: '.d.cts', from: compiled, fromEnding: '.d.ts', format: /** @type {const} */ ('esm') },
  ];
  const imported = new Set();
  for (const { ending, from, fromEnding, format } of builds) {
    const names = files.filter(file => file.endsWith(ending)).map(file => file.slice(0, -ending.length));
    if (names.length === 0) continue;
    const areTypes = fromEnding === '.d.ts';
    const build = await rolldown({
      input: Object.fromEntries(names.map(name => [name, join(from, `${name}${fromEnding}`)])),
      plugins: areTypes ? [dts({ dtsInput: true, tsconfig: false, sourcemap: false })] : [],
      ...{ external: isForeign, platform: 'neutral', experimental: { attachDebugInfo: 'none' }, cwd: source },
    });
    // The plugin adds `.d` to the names.
    const name = `[name]${areTypes ? ending.slice('.d'.length) : ending}`;
    const { output } = await build.write({ dir: dist, format, entryFileNames: name, chunkFileNames: name });
    await build.close();
    const ours = output.map(({ fileName }) => fileName);
    const imports = output.flatMap(each => (each.type === 'chunk' ? [...each.imports, ...each.dynamicImports] : []));
    for (const each of imports) if (isForeign(each) && !ours.includes(each)) imported.add(each);
  }
  return /** @type {string[]} */ ([...imported]);
}

/** @param {string} id of an import */
function isForeign(id) {
  return !/^[.\0]/.test(id) && !isAbsolute(id) && !id.startsWith('@rtms/');
}

/** @param {Manifest} manifest @param {string[]} imported */
function checkDependencies({ name, dependencies = {} }, imported) {
  const packages = imported
    .filter(id => !id.startsWith('node:'))
    .map(id => id.split('/', id.startsWith('@') ? 2 : 1).join('/'));
  const missing = packages.filter(each => !(each in dependencies));
  const unused = Object.keys(dependencies).filter(each => !packages.includes(each));
  if (missing.length > 0) throw new Error(`${name} imports ${missing.join(', ')}: add this to its "dependencies".`);
  if (unused.length > 0)
    throw new Error(`${name} does not import ${unused.join(', ')}: remove this from "dependencies".`);
}

/** Other pages of the repository are not in the package, so only the text of a link to them stays. @param {string} page */
function withoutRelativeLinks(page) {
  return page.replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)[^)]*\)/g, '$1');
}

/**
 * The OpenAPI document of `/v1`, for generators of clients.
 * @param {string} root a checkout that is built
 * @param {string} out
 */
export async function writeOpenApi(root, out) {
  const { public: document } = await readDocuments(root);
  const servers = [{ url: 'https://rtms.example.com', description: 'Replace this by the address of your gateway.' }];
  const file = `rtms-openapi-${manifestOf(root).version}.json`;
  writeFileSync(join(out, file), `${JSON.stringify({ ...document, servers }, null, 2)}\n`);
  return file;
}

// npm run measure:structure: prints how the product's code is divided: files, functions, Nest modules, folders and their cycles.
// `--check` prints only the cycles and the large folders, and fails when there is one. `--walks` adds the files that a request enters.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { describeFile, folderCycles, spread } from './structure.mjs';

const notProduct = /(?:^|\/)(?:testing|generated)\/|spec\.tsx?$|\.contract\.ts$|\.d\.ts$/;
const entriesAtMost = 20;

/** Of apps or libs: the folder `src` of each. @param {string} top */
function sourceFolders(top) {
  return readdirSync(join(repositoryRoot, top)).map(name => `${top}/${name}/src`);
}

/** @param {string} folder */
function entriesOf(folder) {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true }).map(entry => ({
    folder: entry.parentPath.slice(repositoryRoot.length + 1),
    name: entry.name,
  }));
}

const entries = ['apps', 'libs'].flatMap(sourceFolders).flatMap(entriesOf);
const paths = entries.map(({ folder, name }) => `${folder}/${name}`).filter(path => /\.tsx?$/.test(path));
const product = paths.filter(path => !notProduct.test(path));
const files = product.map(path => {
  const text = readFileSync(join(repositoryRoot, path), 'utf8');
  return { path, ...describeFile({ path, text }) };
});

/** An app's own folder puts the app together and has its configuration: it imports all others, and all may import that. */
const isAppRoot = (/** @type {string} */ folder) => /^apps\/[^/]+\/src$/.test(folder);
const edges = files
  .flatMap(({ path, imports }) => imports.map(target => /** @type {const} */ ([dirname(path), dirname(target)])))
  .filter(edge => !edge.some(isAppRoot));
const cycles = folderCycles(edges);
/** @type {Map<string, number>} */
const sizes = new Map();
for (const { folder } of entries) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
const large = [...sizes].filter(([, count]) => count > entriesAtMost).toSorted((one, other) => other[1] - one[1]);

const isCheck = process.argv.includes('--check');
if (!isCheck) {
  console.table({
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    'lines of a file (median/90 %/largest)': spread(files.map(({ lines }) => lines)),
    functions: files.reduce((sum, { functions }) => sum + functions.length, 0),
    'lines of a function (median/90 %/largest)': spread(files.flatMap(({ functions }) => functions)),
    'files with one function': files.filter(({ isOneFunction }) => isOneFunction).length,
    'Nest modules': files.filter(({ hasModule }) => hasModule).length,
    'groups of folders in a cycle': cycles.length,
    [`folders with more than ${entriesAtMost} entries`]: large.length,
  });
}
for (const group of cycles) console.log(`Cycle of ${group.length} folders: ${group.join(', ')}`);
for (const [folder, count] of large) console.log(`${count} entries: ${folder}`);
if (isCheck && cycles.length + large.length > 0) process.exitCode = 1;

if (process.argv.includes('--walks')) {
  const { measureWalks } = await import('./walks.mjs');
  await measureWalks();
}

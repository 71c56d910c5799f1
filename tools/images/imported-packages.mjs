import { join } from 'node:path';
import { build } from 'esbuild';

/** `@scope/name` or `name` of `@scope/name/part` or `name/part`. @param {string} specifier */
const packageOf = specifier => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Follows our own imports, and notes all others. @param {string} root @returns {import('esbuild').Plugin} */
function followOurs(root) {
  return {
    name: 'follow-ours',
    setup(bundle) {
      bundle.onResolve({ filter: /^@rtms\// }, ({ path }) => ({
        path: join(root, 'libs', path.slice('@rtms/'.length), 'dist/index.js'),
      }));
      bundle.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path, external: true },
      );
    },
  };
}

/**
 * Packages that compiled files import, directly and through our files, sorted by name.
 * @param {string} root
 * @param {string[]} entries relative to the root
 */
export async function importedPackages(root, entries) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries.map(entry => join(root, entry)),
    outdir: join(root, 'unwritten'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [followOurs(root)],
  });
  const imports = Object.values(metafile.inputs).flatMap(input => input.imports);
  const outside = imports.filter(each => each.external).map(each => each.path);
  return [...new Set(outside.filter(path => !path.startsWith('node:')).map(packageOf))].sort();
}

import { extract, parse } from 'jest-docblock';

/** By the ending of the file's name, as in jest.config.js. */
const tierOf = /** @type {const} */ ({ 'spec.ts': 'fast', 'e2e-spec.ts': 'e2e', 'system-spec.ts': 'system' });

/**
 * Chooses the files whose tests depend on the time of real media, processes or the kernel: each system test, and each file that
 * states its `@weight`.
 *
 * @param {{ path: string, source: string }[]} files
 */
export function timedFiles(files) {
  return files.flatMap(({ path, source }) => {
    const ending = /** @type {keyof typeof tierOf} */ (path.slice(path.lastIndexOf('.', path.length - 4) + 1));
    const tier = tierOf[ending];
    const isTimed = tier === 'system' || parse(extract(source)).weight !== undefined;
    return isTimed ? [{ path, tier }] : [];
  });
}

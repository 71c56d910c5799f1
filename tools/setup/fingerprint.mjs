import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * One hash of the paths and contents of files, in their order: whoever builds from them compares it with that of the last build.
 * @param {string} root @param {readonly string[]} files
 */
export function fingerprint(root, files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

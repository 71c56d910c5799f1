import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { repositoryRoot } from '../setup/repository.mjs';

/**
 * Formats a text as `npm run format` does, for programs that write files of the repository.
 *
 * @param {string} path tells the language
 * @param {string} text
 * @returns {Promise<string>}
 * @throws {Error} if the text cannot be parsed
 */
export async function formatted(path, text) {
  const { ignorePatterns: _, ...options } = JSON.parse(readFileSync(join(repositoryRoot, '.oxfmtrc.json'), 'utf8'));
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${errors.map(each => each.message).join('; ')}`);
  return code;
}

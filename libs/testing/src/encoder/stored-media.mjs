import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../../../node_modules/.cache/rtms-test-media', import.meta.url));

/**
 * Returns the path of media that stays from run to run. The first process that needs it makes it. Processes that make it at the same time make
 * the same file.
 *
 * @param {readonly string[]} command what decides its content
 * @param {string} extension
 * @param {(path: string) => Promise<unknown>} make
 */
export async function storedMedia(command, extension, make) {
  const name = createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 16);
  const path = join(directory, `${name}.${extension}`);
  if (existsSync(path)) return path;
  await mkdir(directory, { recursive: true });
  const unfinished = join(directory, `${randomUUID()}.unfinished`);
  await make(unfinished);
  await rename(unfinished, path);
  return path;
}

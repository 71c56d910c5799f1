import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Less than this could be found room for where a segment could not. */
const probeBytes = 64 * 1024;

/** Whether a file can be written into each of these directories: a full disk and one mounted read-only are seen. */
export async function canWrite(directories: readonly string[]): Promise<boolean> {
  await Promise.all(directories.map(writeProbe));
  return true;
}

async function writeProbe(directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(path, Buffer.alloc(probeBytes));
  } finally {
    await rm(path, { force: true });
  }
}

import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendFailure } from './sender.js';

/** Memory on Linux, so that secrets never reach a disk. */
const directories = ['/dev/shm', tmpdir()];

/** The descriptor at which FFmpeg finds its secret options. */
export const secretDescriptor = 3;

/** Makes FFmpeg read options that nobody may see in the list of processes. Give the file as `secretDescriptor` to the process. */
export const secretArguments = ['-fpre', `/proc/self/fd/${secretDescriptor}`];

/** FFmpeg reads lines of at most this length. The rest of a longer line would be another option. */
const mostLineBytes = 998;

/**
 * Writes options for FFmpeg into a file without a name, which only holders of its descriptor can read. The caller closes the
 * file after the start of the process. Rejects with a `SendFailure` if a value could become another option.
 */
export async function writeSecretOptions(options: Readonly<Record<string, string | undefined>>): Promise<FileHandle> {
  const lines = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  if (lines.some(line => line.length > mostLineBytes || !/^[\x20-\x7e]*$/.test(line)))
    throw new SendFailure('target_refused', 'the address or the key of the target is too long, or is not ASCII');
  const file = await openUnnamed();
  try {
    await file.write(lines.map(line => `${line}\n`).join(''));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const name = `rtms-${randomUUID()}`;
  let failure: unknown;
  for (const directory of directories) {
    const path = join(directory, name);
    try {
      const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
      await unlink(path);
      return file;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

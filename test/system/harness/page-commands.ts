import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The commands under a heading of a page, up to the next heading: exactly what a reader would copy. */
export function commandsUnder(heading: string, page: string): string {
  const commands: string[] = [];
  let isInSection = false;
  // A block is taken whole: a # in it begins a comment, not a heading.
  for (const [, title, block] of page.matchAll(/^#+ (.+)$|^```\w*\n([^]*?)^```$/gm)) {
    if (title !== undefined) isInSection = title === heading;
    else if (isInSection && block !== undefined) commands.push(block);
  }
  if (commands.length === 0) throw new Error(`nothing to run under "${heading}"`);
  return commands.join('');
}

export interface CommandSurroundings {
  cwd?: string;
  env: Record<string, string>;
}

/** Runs the commands under a heading of a page of `docs/`; returns their output. */
export async function runFromPage(page: string, heading: string, around: CommandSurroundings): Promise<string> {
  const commands = commandsUnder(heading, await readFile(join('docs', page), 'utf8'));
  const { stdout } = await run('sh', ['-euc', commands], {
    cwd: around.cwd ?? process.cwd(),
    // Ends a command that waits for ever before its test ends.
    timeout: 240_000,
    env: { HOME: process.env['HOME'] ?? '/', PATH: process.env['PATH'] ?? '', ...around.env },
  });
  return stdout;
}

/** A directory for PATH with the `rtms-admin` of the pages. */
export async function adminProgramIn(folder: string): Promise<string> {
  const directory = join(folder, 'bin');
  await mkdir(directory, { recursive: true });
  const program = join(directory, 'rtms-admin');
  await writeFile(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${resolve('apps/gateway/dist/admin/cli/rtms-admin.js')}' "$@"\n`,
  );
  await chmod(program, 0o755);
  return [directory, process.env['PATH'] ?? ''].join(delimiter);
}

// npm run release:packages -- [--out release]: makes the files for npm, one a library, and the OpenAPI document.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compilerOf, repositoryRoot } from '../setup/repository.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { packLib, publishedLibs, writeOpenApi } from './packages.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' } } });
const out = resolve(values.out);
mkdirSync(out, { recursive: true });

const { code, output } = await runCommand(process.execPath, [compilerOf(repositoryRoot), '-b', 'tsconfig.build.json'], {
  cwd: repositoryRoot,
});
if (code !== 0) {
  process.stderr.write(`${output}\n`);
  process.exit(1);
}
for (const lib of publishedLibs(repositoryRoot)) say(await packLib(repositoryRoot, lib, out));
say(await writeOpenApi(repositoryRoot, out));

/** @param {string} file */
function say(file) {
  process.stdout.write(`${join(out, file)}\n`);
}

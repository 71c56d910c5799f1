// npm run check:prose: plain English in pages, comments and names of tests. With arguments: the faults of these paths, to add them below.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { faultsOf, passagesOfCode, passagesOfPage } from './prose.mjs';

/** Paths without faults. Add a folder once it has none. The types of the API repeat the texts of the gateway. */
const passing = [
  '*.md',
  'test',
  'tools',
  'bench',
  'examples',
  'apps/gateway/src/media',
  'apps/gateway/src/rooms',
  'apps/sfu',
  'apps/transcoder',
  'apps/ingest',
  'apps/gateway/src/accounts',
  'apps/gateway/src/admin',
  'apps/gateway/src/dashboard',
  'apps/gateway/src/events',
  'apps/gateway/src/settings',
  'apps/dashboard',
  'libs',
  'apps/gateway/src/platform',
  ':!apps/dashboard/src/api/generated',
  ':!libs/server/src/generated',
];

const args = process.argv.slice(2);
const git = ['ls-files', '--', ...(args.length > 0 ? args : passing)];
const files = execFileSync('git', git, { cwd: repositoryRoot, encoding: 'utf8' }).split('\n');
let count = 0;
for (const file of files.filter(
  name => /\.(?:md|[cm]?[jt]sx?)$/.test(name) && existsSync(join(repositoryRoot, name)),
)) {
  const text = readFileSync(join(repositoryRoot, file), 'utf8');
  for (const passage of file.endsWith('.md') ? passagesOfPage(text) : passagesOfCode(text)) {
    for (const fault of faultsOf(passage)) {
      count++;
      console.log(`${file}:${passage.line}: ${fault}`);
    }
  }
}
if (count > 0) console.log(`${count} faults`);
process.exitCode = count > 0 ? 1 : 0;

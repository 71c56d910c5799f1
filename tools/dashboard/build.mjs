// The last part of `npm run build`: the types of the API, the SDK if they changed, then the page.
import { execFileSync } from 'node:child_process';
import { compilerOf, repositoryRoot } from '../setup/repository.mjs';
import { writeApiTypes } from '../openapi/api-types.mjs';
import { buildPage, isPageCurrent } from './page-build.mjs';

const changed = await writeApiTypes(repositoryRoot);
if (changed.some(path => path.includes('/libs/server/'))) {
  execFileSync(process.execPath, [compilerOf(repositoryRoot), '-b', 'libs/server/tsconfig.build.json'], {
    ...{ cwd: repositoryRoot, stdio: 'inherit' },
  });
}
if (!isPageCurrent(repositoryRoot)) {
  const { code, output } = await buildPage(repositoryRoot, process.env);
  if (output !== '') process.stdout.write(`${output}\n`);
  process.exitCode = code;
}

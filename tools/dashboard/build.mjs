// The page's part of `npm run build`: the types of the API, then the bundle.
import { repositoryRoot } from '../setup/repository.mjs';
import { writeApiTypes } from './api-types.mjs';
import { buildPage, isPageCurrent } from './page-build.mjs';

await writeApiTypes(repositoryRoot);
if (!isPageCurrent(repositoryRoot)) {
  const { code, output } = await buildPage(repositoryRoot, process.env);
  if (output !== '') process.stdout.write(`${output}\n`);
  process.exitCode = code;
}

// npm run docs [-- --port 8080]: serves the documentation site and shows changes of its pages.
// npm run docs:build [-- --base /rtms/] [--out docs/dist/site]: builds it as files for any web server.
import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCompiled } from '../setup/build.mjs';
import { repositoryRoot as root } from '../setup/repository.mjs';
import { reportFailure } from '../setup/start-failure.mjs';
import { siteConfig } from './config.mjs';
import { pagesOf, writePages } from './pages.mjs';
import { writeHttpReference, writeLibraryReference } from './reference.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: '/' },
    out: { type: 'string', default: join(root, 'docs/dist/site') },
    port: { type: 'string', default: '8080' },
  },
});

/** @param {string} pages folder of the collected pages */
async function collect(pages) {
  await rm(pages, { recursive: true, force: true });
  await ensureCompiled(root, process.env);
  await writePages(root, pages);
  await writeHttpReference(root, pages);
  await writeLibraryReference(root, pages);
}

/** @param {string} pages @param {import('@rspress/core').UserConfig} config */
async function serve(pages, config) {
  const { dev } = await import('@rspress/core');
  const port = Number(values.port);
  await dev({ docDirectory: pages, config, extraBuilderConfig: { server: { port, host: '127.0.0.1' } } });
  const again = () => void writePages(root, pages).catch(error => process.stderr.write(`${error.message}\n`));
  const folders = new Set(pagesOf(root).map(({ source }) => join(root, dirname(source))));
  for (const folder of folders) watch(folder, again);
}

try {
  const out = resolve(values.out);
  const pages = `${out}-pages`;
  const isBuild = positionals[0] === 'build';
  // The generator reads it: a build fails because of a dead link, the server only warns.
  process.env.NODE_ENV = isBuild ? 'production' : 'development';
  await collect(pages);
  const config = await siteConfig(root, pages, { base: values.base, out });
  if (isBuild) {
    const { build } = await import('@rspress/core');
    await build({ docDirectory: pages, config });
    await rm(pages, { recursive: true });
  } else {
    await serve(pages, config);
  }
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}

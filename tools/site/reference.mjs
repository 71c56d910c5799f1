import { cpSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runCommand } from '../setup/run-command.mjs';
import { writeChanged } from './pages.mjs';

/** Libraries whose signatures the site shows: those that applications install. */
export const documentedLibraries = ['server', 'client', 'player', 'agent-import'];

/** The page of Swagger UI; not a page of the generator. */
export const swaggerPage = '/openapi/index.html';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>RTMS API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="open.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'none', filter: true, supportedSubmitMethods: [] });
`;

/**
 * The HTTP API: the OpenAPI document, Swagger UI and a list of the operations for the search. Needs a built gateway.
 * @param {string} root
 * @param {string} folder of the pages
 */
export async function writeHttpReference(root, folder) {
  const openapi = join(folder, 'public/openapi');
  const documents = join(folder, '.documents');
  const writer = join(root, 'apps/gateway/dist/compiled/write-documents.cli.js');
  const { code, output } = await runCommand(process.execPath, [writer, documents], { cwd: root });
  if (code !== 0) throw new Error(`The OpenAPI document could not be written: ${output}`);
  await mkdir(openapi, { recursive: true });
  await rename(join(documents, 'reference.json'), join(openapi, 'openapi.json'));
  await rm(documents, { recursive: true });
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) cpSync(join(assets, file), join(openapi, file));
  await writeChanged(join(openapi, 'index.html'), page);
  await writeChanged(join(openapi, 'open.js'), script);
  const document = JSON.parse(await readFile(join(openapi, 'openapi.json'), 'utf8'));
  await writeChanged(join(folder, 'reference/http.md'), operationsPage(document));
}

/**
 * @typedef {{ operationId: string, tags: string[], summary?: string }} Operation
 * @typedef {{ info: { description: string }, tags: { name: string, description: string }[], paths: Record<string, Record<string, Operation>> }} Document
 */

/** The operations of a document by tag, each with its link into Swagger UI. @param {Document} document */
export function operationsPage({ info, tags, paths }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const sections = [...new Set(operations.flatMap(each => each.tags))].map(tag => {
    const rows = operations
      .filter(each => each.tags.includes(tag))
      .map(({ operationId, summary = '', path, method }) => {
        const anchor = `#/${encodeURIComponent(tag)}/${encodeURIComponent(operationId)}`;
        return `| [${escaped(summary)}](${swaggerPage}${anchor}) | \`${method} ${path}\` |`;
      });
    const description = tags.find(({ name }) => name === tag)?.description;
    return [
      `## ${tag}`,
      ...(description ? [escaped(description)] : []),
      `| Operation | Request |\n| --- | --- |\n${rows.join('\n')}`,
    ];
  });
  const introduction = [`# HTTP API`, info.description, `[All fields, answers and samples](${swaggerPage})`];
  return `${[...introduction, ...sections.flat()].join('\n\n')}\n`;
}

/** @param {string} text */
const escaped = text => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/**
 * The signatures of the libraries, a page each.
 * @param {string} root
 * @param {string} folder of the pages
 */
export async function writeLibraryReference(root, folder) {
  const { Application } = await import('typedoc');
  const out = join(folder, '.typedoc');
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: documentedLibraries.map(library => join(root, 'libs', library, 'src/index.ts')),
    basePath: join(root, 'libs'),
    tsconfig: join(root, 'tools/site/tsconfig.json'),
    // The page of the HTTP API has these records.
    exclude: ['**/generated/api.ts'],
    // `npm run check:types` finds errors of types.
    skipErrorChecking: true,
    logLevel: 'Warn',
    readme: 'none',
    ...{ disableSources: true, excludeExternals: true, out },
    ...{ outputFileStrategy: 'modules', hidePageHeader: true, hideBreadcrumbs: true, hideGroupHeadings: true },
    ...{ useCodeBlocks: true, parametersFormat: 'table', interfacePropertiesFormat: 'table' },
    ...{ classPropertiesFormat: 'table', propertyMembersFormat: 'table', typeDeclarationFormat: 'table' },
  });
  const project = await application.convert();
  if (!project) throw new Error('TypeDoc cannot read the libraries.');
  await application.generateOutputs(project);
  for (const library of documentedLibraries) {
    const text = await readFile(join(out, library, 'src.md'), 'utf8');
    const page = withTrueAnchors(text).replace(/^# .+$/m, `# @rtms/${library}: types`);
    await writeChanged(join(folder, 'reference/types', `${library}.md`), page);
  }
  await rm(out, { recursive: true });
}

/**
 * Corrects links within a page. The plug-in numbers some headings that are there once: `#roomstate-1` for `#roomstate`. It also links rows of
 * tables, which have no address in the site: such a link becomes its text.
 * @param {string} text
 */
export function withTrueAnchors(text) {
  const anchors = new Set();
  for (const [, title = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const name = title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${name}-${number}`;
    anchors.add(anchor);
  }
  return text.replace(/\[([^\]]+)\]\(#([\w-]+)\)/g, (link, label, anchor) => {
    if (anchors.has(anchor)) return link;
    const name = anchor.replace(/-\d+$/, '');
    return anchors.has(name) ? `[${label}](#${name})` : label;
  });
}

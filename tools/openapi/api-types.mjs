import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { formatted } from '../lint/formatted.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { errorClasses, sdkMethods } from './sdk-methods.mjs';

/** @typedef {import('openapi-typescript').OpenAPI3} OpenApi */

const dashboard = 'apps/dashboard/src/api/generated';
const sdk = 'libs/server/src/generated';

/**
 * The TypeScript that is made from the gateway's OpenAPI documents, by file name: the records for the dashboard, and types, methods
 * and errors for the SDK. Needs a built gateway.
 * @param {string} root
 * @param {Record<string, any>} [documents]
 * @returns {Promise<Map<string, string>>}
 */
export async function apiTypes(root, documents) {
  const { public: documented, administration, reference } = documents ?? (await readDocuments(root));
  const operations = keyOperations(reference);
  const texts = {
    // The page needs requests and answers; the contracts have the types of all other messages between page and gateway.
    [`${dashboard}/public.ts`]: await typesOf({ ...documented, paths: {} }),
    [`${dashboard}/administration.ts`]: await typesOf({ ...administration, paths: {} }),
    [`${sdk}/api.ts`]: await typesOf(operations),
    [`${sdk}/methods.ts`]: sdkMethods(operations),
    [`${sdk}/errors.ts`]: errorClasses(operations),
  };
  const files = Object.entries(texts).map(async ([name, text]) => {
    const path = join(root, name);
    const head = "/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */\n";
    return /** @type {[string, string]} */ ([path, await formatted(path, head + text)]);
  });
  return new Map(await Promise.all(files));
}

/**
 * The documents by the name of their file, such as `public`.
 * @param {string} root
 * @returns {Promise<Record<string, any>>}
 */
export async function readDocuments(root) {
  const directory = mkdtempSync(join(tmpdir(), 'rtms-openapi-'));
  try {
    const writer = join(root, 'apps/gateway/dist/compiled/write-documents.cli.js');
    const { code, output } = await runCommand(process.execPath, [writer, directory], { cwd: root });
    if (code !== 0) throw new Error(`The OpenAPI documents could not be written: ${output}`);
    const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'));
    return Object.fromEntries(['public', 'administration', 'reference'].map(name => [name, read(name)]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * The part of the reference that needs an account's key, one operation for each action. It has no failures, which every operation
 * repeats, no samples for people, and no media nodes.
 * @param {any} reference
 * @returns {any}
 */
export function keyOperations(reference) {
  const paths = Object.entries(reference.paths).filter(([path]) => path.startsWith('/v1/'));
  return { ...reference, paths: Object.fromEntries(paths.map(([path, methods]) => [path, withoutFailures(methods)])) };
}

/** @param {any} methods */
function withoutFailures(methods) {
  const entries = Object.entries(/** @type {Record<string, any>} */ (methods)).map(([method, operation]) => {
    const description = operation.description.replace(/\n*```[^]*$/, '');
    const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    return [method, { ...operation, description, responses: Object.fromEntries(answers) }];
  });
  return Object.fromEntries(entries);
}

/** @param {any} document */
async function typesOf({ openapi, info, paths, components }) {
  const { schemas: all, headers, parameters } = withoutExamples(components);
  const own = Object.entries(all).filter(([name]) => !/^(?:field|failure)\./.test(name));
  const schemas = withFields(Object.fromEntries(own), all);
  const hasPaths = Object.keys(paths).length > 0;
  /** @type {OpenApi} */
  const records = {
    ...{ openapi, info, paths: withFields(withoutExamples(paths), all) },
    components: { schemas, ...(hasPaths && { headers, parameters: withFields(parameters, all) }) },
  };
  return astToString(await openapiTS(records, { defaultNonNullable: false }));
}

/**
 * Puts the schemas that records share, such as `field.createdAt`, into the records, so that editors show the text of each field.
 * @param {any} value @param {any} schemas @returns {any}
 */
function withFields(value, schemas) {
  const text = JSON.stringify(value, (_, each) => {
    const name = /^#\/components\/schemas\/(field\..+)$/.exec(each?.$ref ?? '')?.[1];
    return name === undefined ? each : withFields(schemas[name], schemas);
  });
  return JSON.parse(text);
}

/** @param {any} value @returns {any} */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, one]) => name !== 'examples' || !Array.isArray(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutExamples(one)]));
}

/**
 * Writes only changed files, because the build compiles a touched file again.
 * @param {string} root
 * @returns {Promise<string[]>} the changed files
 */
export async function writeApiTypes(root) {
  const changed = [...(await apiTypes(root))].filter(([path, text]) => !isCurrent(path, text));
  for (const [path, text] of changed) writeFileSync(path, text);
  return changed.map(([path]) => path);
}

/** @param {string} path @param {string} text */
function isCurrent(path, text) {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

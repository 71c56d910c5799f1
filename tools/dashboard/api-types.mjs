import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { runCommand } from '../setup/run-command.mjs';

/** The contracts have the types of all other messages between page and gateway. */
const typedElsewhere = 'dashboard.json';

/**
 * The bodies and records of the gateway's OpenAPI documents as TypeScript, by file name. Needs a built gateway.
 * @param {string} root
 * @returns {Promise<Map<string, string>>}
 */
export async function apiTypes(root) {
  const directory = mkdtempSync(join(tmpdir(), 'rtms-openapi-'));
  try {
    const writer = join(root, 'apps/gateway/dist/write-documents.cli.js');
    const { code, output } = await runCommand(process.execPath, [writer, directory], { cwd: root });
    if (code !== 0) throw new Error(`The OpenAPI documents could not be written: ${output}`);
    const files = await Promise.all(documentsIn(directory).map(async audience => typesOf(root, directory, audience)));
    return new Map(files);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The audiences of the documents. @param {string} directory */
function documentsIn(directory) {
  const documents = readdirSync(directory).filter(name => name !== typedElsewhere);
  return documents.map(name => basename(name, '.json'));
}

/** @param {string} root @param {string} directory @param {string} audience @returns {Promise<[string, string]>} */
async function typesOf(root, directory, audience) {
  const document = JSON.parse(readFileSync(join(directory, `${audience}.json`), 'utf8'));
  // The page needs requests and answers; paths repeat every failure at every route.
  const { openapi, info, components } = document;
  /** @type {import('openapi-typescript').OpenAPI3} */
  const records = { openapi, info, paths: {}, components: { schemas: withoutExamples(components.schemas) } };
  const path = join(typesDirectory(root), `${audience}.ts`);
  const text = `/** Made from the gateway's OpenAPI document by \`npm run build\`; do not edit. */\n${astToString(await openapiTS(records, { defaultNonNullable: false }))}`;
  return [path, await format(text, { ...(await resolveConfig(path)), parser: 'typescript' })];
}

/** @param {string} root */
function typesDirectory(root) {
  return join(root, 'apps/dashboard/src/api/generated');
}

/** @param {any} value @returns {any} */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, one]) => name !== 'examples' || !Array.isArray(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutExamples(one)]));
}

/** Writes only changed files, because the build compiles a touched file again. @param {string} root */
export async function writeApiTypes(root) {
  for (const [path, text] of await apiTypes(root)) {
    if (!isCurrent(path, text)) writeFileSync(path, text);
  }
}

/** @param {string} path @param {string} text */
function isCurrent(path, text) {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

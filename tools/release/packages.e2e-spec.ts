/** @weight 0.75 for 23 s */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { repositoryRoot as root } from '../setup/repository.mjs';
import { publishedLibs } from './packages.mjs';

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  exports: Record<string, object>;
}

interface OpenApi {
  servers: { url: string }[];
  paths: object;
}

const run = promisify(execFile);
const libs = publishedLibs(root);
const pageLibs = libs.filter(lib => lib !== 'server');
const folder = mkdtempSync(join(tmpdir(), 'rtms-packages-'));
const consumer = join(folder, 'consumer');
const installed = (lib: string, file: string): string => join(consumer, 'node_modules/@rtms', lib, file);
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

/** The folder that an import of a package finds from a folder of the repository. */
function findPackage(name: string, from: string): string {
  const path = join(from, 'node_modules', name);
  if (existsSync(path)) return path;
  if (from === root) throw new Error(`${name} is not installed.`);
  return findPackage(name, dirname(from));
}

/** Copies packages and all that they need from the repository, so that npm needs no registry. */
function copyPackages(names: string[], from: string, copied = new Set<string>()): void {
  for (const path of names.map(name => findPackage(name, from))) {
    if (copied.has(path)) continue;
    copied.add(path);
    const filter = (file: string): boolean => !relative(path, file).includes('node_modules');
    cpSync(path, join(consumer, relative(root, path)), { recursive: true, filter });
    copyPackages(Object.keys(manifestOf(path).dependencies ?? {}), path, copied);
  }
}

/** A module that imports all that a library exports. */
function importsOf(lib: string): string {
  const names = Object.keys(manifestOf(join(root, 'libs', lib)).exports).filter(name => name !== './package.json');
  return names.map(name => `export * from '${join('@rtms', lib, name)}';\n`).join('');
}

/** Runs a program in the project of the consumer. */
async function execute(program: string, ...words: string[]): Promise<string> {
  try {
    return (await run(program, words, { cwd: consumer, maxBuffer: 8 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${words.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  }
}
const tool = (path: string, ...words: string[]): Promise<string> =>
  execute(process.execPath, join(root, 'node_modules', path), ...words);

const serverProgram = `
const secret = 'whsec_' + Buffer.alloc(24, 7).toString('base64');
const answer = { success: true, room: { meetingID: 'room_1' } };
const rtms = createRtms({ url: 'http://rtms.test', key: 'acme:k3y', fetch: async () => Response.json(answer) });
rtms.rooms.get('room_1').then(({ room }) => {
  let rejected = false;
  try {
    verifyWebhook('{}', {}, secret);
  } catch (error) {
    rejected = error instanceof RtmsWebhookError && error.reason === 'invalid_signature';
  }
  console.log(room.meetingID, rejected);
});
`;
const typedServer = `
export const rtms: Rtms = createRtms({ url: 'https://rtms.example.com', key: 'a:b', timeoutMs: 1_000 });
export async function listen(): Promise<string | null> {
  for await (const event of rtms.events.stream({ types: ['room.ended'] })) {
    if (event.type === 'room.ended') return event.data.endReason;
  }
  const { room } = await rtms.rooms.create({ userName: 'Ada' });
  // @ts-expect-error -- a room has no such field
  return room.nonsense;
}
export const event = verifyWebhook('', {}, '');
`;
const names = 'createRtms, RtmsWebhookError, verifyWebhook';
const sources: Record<string, string> = {
  'server.mjs': `import { ${names} } from '@rtms/server';${serverProgram}`,
  'server.cjs': `const { ${names} } = require('@rtms/server');${serverProgram}`,
  'server.mts': `import { createRtms, verifyWebhook, type Rtms } from '@rtms/server';${typedServer}`,
  'server.cts': `import { createRtms, verifyWebhook, type Rtms } from '@rtms/server';${typedServer}`,
  'client.mts': `
    import { joinRoom, RtmsError, type Room } from '@rtms/client';
    export async function join(url: string, token: string): Promise<Room> {
      const room = await joinRoom({ url, token });
      room.on('chat.message', ({ message }) => console.log(message.senderName, room.state.roster.length));
      return room;
    }
    export const isTemporary = (error: unknown): boolean => error instanceof RtmsError && error.isTemporary;
    // @ts-expect-error -- a ticket has a token
    void joinRoom({ url: '' });`,
  'importer.mts': `
    import { describeFinding, importAgent } from '@rtms/agent-import';
    const result = importAgent('{}');
    export const found = result.ok ? result.toFinish.map(({ code, path }) => [code, path]) : [[result.code, '']];
    export const text: string = result.ok ? result.agent.name : describeFinding(result);
    // @ts-expect-error -- a text is needed
    importAgent({});`,
  ...Object.fromEntries(pageLibs.map(lib => [`page-${lib}.js`, importsOf(lib)])),
  ...Object.fromEntries(libs.map(lib => [`all-${lib}.mts`, importsOf(lib)])),
};

const modules = Object.keys(sources).filter(name => name.endsWith('.mts'));

describe('npm run release:packages', () => {
  const { version } = manifestOf(root);
  const archiveOf = (lib: string): string => join(folder, `rtms-${lib}-${version}.tgz`);

  beforeAll(async () => {
    mkdirSync(join(consumer, 'node_modules'), { recursive: true });
    await execute(process.execPath, join(root, 'tools/release/release-packages.mjs'), '--out', folder);
    for (const lib of libs)
      copyPackages(Object.keys(manifestOf(join(root, 'libs', lib)).dependencies), join(root, 'libs', lib));
    writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(consumer, name), text);
    const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await execute('npm', 'install', ...options, ...libs.map(archiveOf));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(libs)('%s has no fault that publint or attw finds', async lib => {
    const { messages } = await publint({ pkgDir: installed(lib, '.'), pack: false, strict: true });
    expect(messages).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(archiveOf(lib)))));
    // Pages need no CommonJS. TypeScript's oldest resolution knows no paths below a package.
    const isModule = !('require' in manifestOf(installed(lib, '.')).exports['.']!);
    const isAccepted = (problem: Problem): boolean => {
      if (problem.kind === 'CJSResolvesToESM') return isModule;
      return 'resolutionKind' in problem && problem.resolutionKind === 'node10' && problem.entrypoint !== '.';
    };
    const problems = result.types ? result.problems.filter(problem => !isAccepted(problem)) : ['no types'];
    expect(problems).toEqual([]);
  });

  it.each(libs)('%s has the licence, a page of its own and the versions of the lock file', lib => {
    const { dependencies, ...manifest } = manifestOf(installed(lib, '.'));
    expect(manifest).toMatchObject({
      version,
      license: 'Apache-2.0',
      sideEffects: expect.anything(),
      engines: { node: '>=20' },
    });
    expect(Object.keys(manifest).filter(name => ['private', 'scripts', 'devDependencies'].includes(name))).toEqual([]);
    for (const [name, wanted] of Object.entries(dependencies))
      expect(manifestOf(findPackage(name, root)).version).toBe(wanted);
    expect(readFileSync(installed(lib, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const page = readFileSync(installed(lib, 'README.md'), 'utf8');
    expect(page).toContain(`npm install @rtms/${lib}\n`);
    expect(page.match(/\]\((?!https:|#).*\)/g)).toBeNull();
  });

  it.each([
    ['nodenext', 'nodenext', [...modules, 'server.cts']],
    ['bundler', 'esnext', modules],
  ])('type-check with the module resolution %s', async (moduleResolution, module, programs) => {
    const options = [
      '--noEmit',
      '--strict',
      // TypeScript's own libraries take a third of the time.
      '--skipDefaultLibCheck',
      '--target',
      'es2023',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ];
    const checks = ['--module', module, '--moduleResolution', moduleResolution, ...options];
    expect(await tool('typescript/bin/tsc', ...checks, ...programs)).toBe('');
  });

  it.each(pageLibs)('%s is built by Vite without modules of Node.js', async lib => {
    const config = {
      logLevel: 'warn',
      build: {
        outDir: `built-${lib}`,
        lib: { entry: `page-${lib}.js`, formats: ['iife'], name: 'page' },
      },
    };
    const text = JSON.stringify(config).replace('"formats"', '"fileName": () => "page.js", "formats"');
    writeFileSync(join(consumer, `vite-${lib}.mjs`), `export default ${text};`);
    const output = await tool('vite/bin/vite.js', 'build', '--config', `vite-${lib}.mjs`);
    expect(output).not.toContain('externalized');
    expect(readFileSync(join(consumer, `built-${lib}/page.js`), 'utf8')).not.toMatch(
      /__vite-browser-external|["']node:/,
    );
  });

  it('imports an agent where nothing but JavaScript exists', () => {
    // Neither Node.js nor a page: the context has no globals.
    const context = createContext({ text: JSON.stringify({ model: { messages: [] }, voice: {}, name: 'Ada' }) });
    const page = readFileSync(join(consumer, 'built-agent-import/page.js'), 'utf8');
    const result: unknown = JSON.parse(
      runInContext(`${page}; JSON.stringify(page.importAgent(text))`, context) as string,
    );
    expect(result).toMatchObject({ ok: true, platform: expect.anything(), agent: { name: 'Ada' } });
  });

  it.each([
    ['an ES module', 'server.mjs'],
    ['CommonJS', 'server.cjs'],
  ])('server runs in Node.js as %s', async (_, program) => {
    // Older releases of Node.js 20 have no `require` of ES modules.
    expect(await execute(process.execPath, '--no-experimental-require-module', program)).toBe('room_1 true\n');
  });

  it('agent-import runs in Node.js, and has its command', async () => {
    const program = "import('@rtms/agent-import').then(({ importAgent }) => console.log(importAgent('{').code))";
    expect(await execute(process.execPath, '-e', program)).toBe('not_json\n');
    writeFileSync(join(consumer, 'agent.json'), JSON.stringify({ model: { messages: [] }, voice: {}, name: 'Ada' }));
    const output = await execute(join(consumer, 'node_modules/.bin/rtms-import-agent'), 'agent.json');
    expect(JSON.parse(output)).toMatchObject({ agent: { name: 'Ada' } });
  });

  it('writes the OpenAPI document of the application server, with a neutral address', () => {
    const document = JSON.parse(readFileSync(join(folder, `rtms-openapi-${version}.json`), 'utf8')) as OpenApi;
    expect(document.servers.map(({ url }) => url)).toEqual(['https://rtms.example.com']);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/rooms', '/v1/events']));
    expect(Object.keys(document.paths).filter(path => /^\/(admin|dashboard)\//.test(path))).toEqual([]);
  });
});

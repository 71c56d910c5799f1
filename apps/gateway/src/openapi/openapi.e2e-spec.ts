import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startTestGateway, testAdminToken, type TestGateway } from '../testing/start-test-gateway.js';

const run = promisify(execFile);
const bin = (name: string) => resolve('node_modules/.bin', name);
const audiences = [
  ['/openapi.json', ''],
  ['/admin/openapi.json', `Bearer ${testAdminToken}`],
] as const;

describe('the description of the API', () => {
  let gateway: TestGateway;
  let folder: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
    await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  });
  afterAll(async () => {
    await gateway?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const read = (path: string, authorization: string) => gateway.http.get(path).set('Authorization', authorization);
  const save = async (path: string, authorization: string) => {
    const { text } = await read(path, authorization).expect(200);
    const file = join(folder, 'openapi.json');
    await writeFile(file, text);
    return file;
  };
  const lint = (command: string, ...parameters: string[]) =>
    run(process.execPath, [bin(command), 'lint', ...parameters], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );

  it.each(audiences)('%s passes the recommended rules of Redocly', async (path, authorization) => {
    const file = await save(path, authorization);
    const { stdout, stderr } = await lint('redocly', file, '--config', join(folder, 'redocly.yaml'));
    expect(`${stdout}${stderr}`).toContain('Your API description is valid');
    expect(`${stdout}${stderr}`).not.toMatch(/\d+ (?:warning|error)/);
  });

  it.each(audiences)('%s passes the recommended rules of Spectral', async (path, authorization) => {
    const file = await save(path, authorization);
    const { stdout } = await lint('spectral', file, '--ruleset', join(folder, '.spectral.yaml'));
    expect(stdout).toContain('No results with a severity of');
    expect(stdout).not.toMatch(/warning|hint/);
  });

  it('is closed to accounts where it is about administration', async () => {
    const { authorization } = await gateway.makeAccount();
    await read('/admin/openapi.json', authorization).expect(401);
  });

  it('can be read as a page that needs no other host', async () => {
    const { text, headers } = await gateway.http.get('/docs').expect(200);
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources).toHaveLength(3);
    for (const source of sources) await gateway.http.get(source).expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});

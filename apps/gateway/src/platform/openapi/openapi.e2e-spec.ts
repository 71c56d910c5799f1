/** @seconds 10 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeAnswerCheck } from '../../testing/answer-check.js';
import { DashboardClient } from '../../testing/dashboard-client.js';
import { resolved } from '../../testing/request-samples.js';
import { startTestGateway, testAdminToken, type TestGateway } from '../../testing/start-test-gateway.js';
import type { OpenApiDocument } from './document.js';
import type { JsonSchema } from './json-schema.js';

const run = promisify(execFile);
const bin = (name: string) => resolve('node_modules/.bin', name);
const audiences = [
  ['/openapi.json', 'nobody'],
  ['/docs/openapi.json', 'nobody'],
  ['/admin/openapi.json', 'administrator'],
  ['/dashboard/api/openapi.json', 'dashboard'],
] as const;

describe('the OpenAPI documents', () => {
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

  type Reader = (typeof audiences)[number][1];
  const headersOf = async (reader: Reader): Promise<Record<string, string>> => {
    if (reader === 'administrator') return { Authorization: `Bearer ${testAdminToken}` };
    return reader === 'nobody' ? {} : { Cookie: (await DashboardClient.signedIn(gateway, null)).cookie };
  };
  const read = (path: string, headers: Record<string, string> = {}) => gateway.http.get(path).set(headers);
  /** Writes the documents to files, because one call of a linter for all of them takes a third of the time of four calls. */
  const save = () =>
    Promise.all(
      audiences.map(async ([path, reader], index) => {
        const { text } = await read(path, await headersOf(reader)).expect(200);
        const file = join(folder, `openapi-${index}.json`);
        await writeFile(file, text);
        return file;
      }),
    );
  const lint = async (command: string, ...parameters: string[]) =>
    run(process.execPath, [bin(command), 'lint', ...(await save()), ...parameters], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );

  it('pass the recommended rules of Redocly', async () => {
    const { stdout, stderr } = await lint('redocly', '--config', join(folder, 'redocly.yaml'));
    expect(`${stdout}${stderr}`).toContain('Your API descriptions are valid');
    expect(`${stdout}${stderr}`).not.toMatch(/\d+ (?:warning|error)/);
  });

  it('pass the recommended rules of Spectral', async () => {
    const { stdout } = await lint('spectral', '--ruleset', join(folder, '.spectral.yaml'));
    expect(stdout).toContain('No results with a severity of');
    expect(stdout).not.toMatch(/warning|hint/);
  });

  it.each(audiences)('%s stays small enough for Swagger UI', async (path, reader) => {
    const { text } = await read(path, await headersOf(reader)).expect(200);
    // Samples are plain text: what takes time is schemas.
    expect(text.length).toBeLessThan(path.startsWith('/docs') ? 460_000 : 350_000);
  });

  it('shows people each action as an operation with samples, and the protocols of the media nodes', async () => {
    const { body } = await read('/docs/openapi.json').expect(200);
    const { paths } = body as OpenApiDocument;
    const create = paths['/v1/rooms#create']?.['post'] as { operationId: string; description: string };
    expect(create.operationId).toBe('createRoom');
    expect(create.description).toMatch(/```sh\ncurl -X POST 'http.*\/v1\/rooms' -H "Authorization: Bearer \$RTMS_KEY"/);
    expect(create.description).toMatch(/```ts\nconst response = await fetch\('.*"action":"create"/s);
    const shown = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(each => `${each} ${path}`),
    );
    expect(shown).toEqual(
      expect.arrayContaining(['post /v1/rooms#end', 'post /whip/{sessionID}', 'post /whep/{playbackID}']),
    );
    expect(paths['/v1/rooms']).toBeUndefined();
  });

  it('says which resources nothing uses', async () => {
    const { body } = await read('/openapi.json').expect(200);
    const tags = (body as { tags: { name: string; description: string }[] }).tags;
    const named = tags.filter(({ description }) => description.includes('Stored only')).map(({ name }) => name);
    expect(named.sort()).toEqual(['AI credentials', 'Agents', 'SIP configurations', 'Translation configurations']);
  });

  it('describes headers, defaults and the paths outside /v1', async () => {
    const { body } = await read('/openapi.json').expect(200);
    const document = body as OpenApiDocument;
    const { paths, components } = document;
    const namesOf = (path: string, method: string, status: string) => {
      const { responses } = paths[path]![method] as { responses: Record<string, object> };
      return Object.keys((resolved(document, responses[status] ?? {}) as { headers: object }).headers);
    };
    const limits = ['RateLimit-Policy', 'RateLimit'];
    expect(namesOf('/v1/rooms', 'post', '201')).toEqual(['X-Request-Id', ...limits, 'Idempotent-Replayed']);
    expect(namesOf('/v1/rooms', 'get', '200')).toEqual(['X-Request-Id', ...limits]);
    expect(namesOf('/v1/rooms', 'post', '409')).toEqual(['X-Request-Id', ...limits, 'Idempotent-Replayed']);
    const ofSome = ['WWW-Authenticate', 'Allow', 'Retry-After'];
    expect(namesOf('/v1/rooms', 'post', 'default').sort()).toEqual(['X-Request-Id', ...limits, ...ofSome].sort());
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect(namesOf(path, 'get', '200')).toEqual(['X-Request-Id']);
    }
    const defaultOf = (schema: string, ...fields: string[]) => {
      const body = resolved(document, components['schemas']?.[schema] ?? {}) as JsonSchema;
      return fields.reduce((of, name) => of.properties?.[name] ?? {}, body)['default'];
    };
    expect(defaultOf('CreateSipConfigBody', 'peer', 'port')).toBe(5060);
    expect(defaultOf('CreateSipConfigBody', 'peer', 'transport')).toBe('UDP');
    expect(defaultOf('CreateDomainBody', 'enabled')).toBe(true);
    expect(defaultOf('CreatePlaybackBody', 'payloadMatching')).toBe('fixed');
    expect(defaultOf('CreateSubUserBody', 'role')).toBe('member');
    expect(defaultOf('CreateDisposableKeyBody', 'validityDays')).toBeNull();
    expect(defaultOf('CreateTranslationConfigBody', 'spokenLanguages')).toEqual([]);
  });

  it.each(audiences)('%s gives each operation its own operationId', async (path, reader) => {
    const { body } = await read(path, await headersOf(reader)).expect(200);
    const operations = Object.values((body as OpenApiDocument).paths).flatMap(methods => Object.values(methods));
    const ids = operations.map(operation => (operation as { operationId: string }).operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter(id => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('lists the actions of a POST with their names and summaries', async () => {
    const { body } = await read('/openapi.json').expect(200);
    const { operationId, description } = (body as OpenApiDocument).paths['/v1/rooms']!['post'] as Record<
      string,
      string
    >;
    expect(operationId).toBe('postRooms');
    expect(description).toContain('- `create` (createRoom): **Create a room.**');
    expect(description).toContain('- `join` (joinRoom): **Join a room.**');
  });

  it.each(audiences)('%s describes each field', async (path, reader) => {
    const { body } = await read(path, await headersOf(reader)).expect(200);
    expect(undescribedFields(body as OpenApiDocument)).toEqual([]);
  });

  it('describes the answers of the health checks and the metrics', async () => {
    const { body } = await read('/openapi.json').expect(200);
    const check = makeAnswerCheck(body as OpenApiDocument);
    for (const path of ['/healthz', '/readyz']) {
      const { status, text } = await gateway.http.get(path);
      expect(check('GET', path, status, text)).toBeUndefined();
    }
    expect((await gateway.http.get('/metrics')).headers['content-type']).toContain('text/plain');
  });

  it('hides the administration and the dashboard from accounts', async () => {
    const { authorization } = await gateway.makeAccount();
    await read('/admin/openapi.json', { Authorization: authorization }).expect(401);
    await read('/dashboard/api/openapi.json', { Authorization: authorization }).expect(401);
  });

  it('shows the API on a page that needs no other host', async () => {
    const { text, headers } = await gateway.http.get('/docs').expect(200);
    const sources = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources).toHaveLength(3);
    for (const source of sources) await gateway.http.get(source).expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});

/** Paths of fields without a description, of their own or of the record that they refer to. */
function undescribedFields({ paths, components }: OpenApiDocument): string[] {
  const records = components['schemas'] as Record<string, JsonSchema>;
  const isDescribed = ({ description, $ref, anyOf }: JsonSchema): boolean => {
    const record = records[String($ref).split('/').at(-1) ?? ''];
    const choices = (anyOf ?? []) as JsonSchema[];
    return [description, record?.['description']].some(text => typeof text === 'string') || choices.some(isDescribed);
  };
  const walk = (at: string, value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { properties = {} } = value as JsonSchema;
    const bare = Object.entries(properties).flatMap(([name, field]) => (isDescribed(field) ? [] : [`${at}.${name}`]));
    const inner = Object.entries(value).flatMap(([name, part]) =>
      ['example', 'examples'].includes(name) ? [] : walk(`${at}.${name}`, part),
    );
    return [...bare, ...inner];
  };
  const success = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.entries((operation as { responses: object }).responses).flatMap(([status, response]) =>
        status < '300' ? walk(`${method} ${path}`, response) : [],
      ),
    ),
  );
  return [...walk('schemas', records), ...success];
}

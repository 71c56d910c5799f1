/** @seconds 8 */
import { readFileSync } from 'node:fs';
import { createRtms } from '@rtms/server';
import { repositoryRoot } from '../setup/repository.mjs';
import { apiTypes, readDocuments } from './api-types.mjs';

interface Operation {
  parameters: { $ref?: string; in?: string; name?: string }[];
  requestBody?: { content: Record<string, { schema: { discriminator?: { mapping: Record<string, string> } } }> };
}
type Functions = Record<string, (...parameters: unknown[]) => unknown>;

describe('the TypeScript that is made from the OpenAPI documents', () => {
  let documents: Record<string, { paths: Record<string, Record<string, Operation>> }>;

  beforeAll(async () => {
    documents = await readDocuments(repositoryRoot);
  });

  it('is that of the gateway’s documents', async () => {
    const files = await apiTypes(repositoryRoot, documents);
    expect(files.size).toBe(5);
    for (const [path, text] of files) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('has a method of the SDK for each request of the API, and no other method', async () => {
    const sent = new Set<string>();
    const rtms = createRtms({
      ...{ url: 'http://gateway.test', key: 'user:key' },
      fetch: async request => {
        const { pathname, searchParams } = new URL(request.url);
        const body = request.method === 'GET' ? {} : ((await request.json()) as { action?: string });
        const action = body.action ?? searchParams.get('action');
        sent.add([request.method, decodeURI(pathname), action].filter(Boolean).join(' '));
        return Response.json({ success: true });
      },
    }) as unknown as Record<string, Functions>;
    const helpers = ['waitUntilActive', 'stream', 'verify'];
    for (const functions of Object.values(rtms)) {
      for (const [name, call] of Object.entries(functions)) {
        if (!helpers.includes(name)) await run(call);
      }
    }
    expect([...sent].sort()).toEqual(requestsOf(documents['public']!.paths).sort());
  });
});

/** Calls a method with the names of the path parameters as their values. */
async function run(call: (...parameters: unknown[]) => unknown): Promise<void> {
  for (let count = 0; count <= 3; count++) {
    try {
      const made = call(...Array.from({ length: count }, (_, at) => `{${at}}`)) as { page?: () => Promise<unknown> };
      await (made.page?.() ?? made);
      return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error('The method takes more than three identifiers.');
}

/** `POST /v1/rooms create`, with numbers instead of the names of path parameters. */
function requestsOf(paths: Record<string, Record<string, Operation>>): string[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters, requestBody }]) => {
        let count = 0;
        const address = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, () => `{${count++}}`)}`;
        const { discriminator } = requestBody?.content['application/json']?.schema ?? {};
        if (discriminator) return Object.keys(discriminator.mapping).map(action => `${address} ${action}`);
        const isChosen = parameters.some(each => each.name === 'action' || each.$ref?.endsWith('/actionQuery'));
        return [isChosen ? `${address} get` : address];
      }),
    );
}

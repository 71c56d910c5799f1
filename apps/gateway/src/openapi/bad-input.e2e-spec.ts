import { DataSource } from 'typeorm';
import { badRequests, type BadRequest } from '../testing/bad-bodies.js';
import { startTestGateway, testAdminToken, type TestGateway } from '../testing/start-test-gateway.js';
import type { Audience } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

/** How many rows each table has; what counts or remembers requests themselves is left out. */
const tablesQuery = `
SELECT table_name AS name FROM information_schema.tables
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'rate_limit%' ORDER BY 1`;

describe('input that the description does not allow', () => {
  let gateway: TestGateway;
  let keys: Record<Audience, string>;

  beforeAll(async () => {
    gateway = await startTestGateway({
      config: {
        rateLimits: { windowSeconds: 60, addressReads: 0, addressWrites: 0, keyReads: 0, keyWrites: 0 },
      },
    });
    const { authorization } = await gateway.makeAccount();
    keys = { public: authorization, administration: `Bearer ${testAdminToken}` };
  });
  afterAll(() => gateway.close());

  const rowCounts = async () => {
    const database = gateway.app.get(DataSource);
    const tables = await database.query<{ name: string }[]>(tablesQuery);
    const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM "${name}"`);
    return database.query<object[]>(`${counts.join(' UNION ALL ')} ORDER BY 1`);
  };
  const send = ({ method, path, text, contentType = 'application/json' }: BadRequest, authorization: string) =>
    fetch(`${gateway.url}${path}`, {
      method: method.toUpperCase(),
      headers: { Authorization: authorization, 'Content-Type': contentType },
      body: text,
    });

  it.each<Audience>(['public', 'administration'])(
    'is refused in the failure form, and leaves nothing: %s',
    async audience => {
      const document = gateway.app.get(OpenApiService, { strict: false }).document(audience);
      const requests = badRequests(document);
      expect(requests.length).toBeGreaterThan(50);
      const before = await rowCounts();
      const surprises: string[] = [];
      for (const request of requests) {
        const response = await send(request, keys[audience]);
        const answer = await response.text();
        if (!isRefusal(response.status, answer)) {
          surprises.push(
            `${request.method} ${request.path}, ${request.what}: ${response.status} ${answer.slice(0, 300)}`,
          );
        }
      }
      expect(surprises).toEqual([]);
      expect(await rowCounts()).toEqual(before);
    },
  );
});

/** Nothing of how the service is made: a dotted path, an index, a class, a stack, a query. */
const internals = /\b\w+\.\w|\w\[\d|Dto\b|Error:|SELECT |INSERT |column|constraint/;
const example = /such as \S+/g;

function isRefusal(status: number, text: string): boolean {
  if (status < 400 || status >= 500) return false;
  const body = JSON.parse(text) as { success?: unknown; error?: unknown; code?: unknown };
  return (
    body.success === false &&
    typeof body.code === 'string' &&
    !internals.test(String(body.error).replaceAll(example, ''))
  );
}

import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { csrfHeader } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { badPaths, badQueries } from '../testing/bad-addresses.js';
import { badBodies, oddBodies } from '../testing/bad-bodies.js';
import { audioTrack, videoTrack } from '../testing/fake-sfu.js';
import { DashboardClient } from '../testing/dashboard-client.js';
import { MediaTestBed } from '../testing/media-test-bed.js';
import { pathOf, requestSamples, validBody, type IDs, type RequestSample } from '../testing/request-samples.js';
import { testAdminToken, type TestAccount } from '../testing/start-test-gateway.js';
import type { Audience } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

/** Who asks: an account by its key, unless other headers say who. */
type Sender = TestAccount & { headers?: Record<string, string> };

interface Answer {
  status: number;
  text: string;
}

interface Call {
  what: string;
  method: string;
  url: string;
  text?: string | undefined;
  contentType?: string | undefined;
}

/** How many rows each table has; what counts or remembers requests and rows themselves is left out, and
 * the log of rooms, which tells a little later what was taken. */
const tablesQuery = String.raw`
SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
  AND table_name NOT LIKE 'rate\_limit%' AND table_name NOT LIKE 'list\_%'
  AND table_name NOT IN ('audit_entries', 'room_events', 'room_feeds', 'sign_in_attempts', 'wrong_guesses') ORDER BY 1`;

/** Bodies that are as described, and may be declined, for no media node here records: the status. */
const declined: Readonly<Record<string, number>> = {
  'POST /v1/recordings start': 503,
  // An example of a credential is none.
  'POST /dashboard/api/session': 401,
  'POST /dashboard/api/session/confirmation': 403,
  'POST /dashboard/api/password': 403,
  'POST /dashboard/api/password-reset': 401,
  'POST /dashboard/api/totp/confirm': 403,
  // There is no second factor.
  'DELETE /dashboard/api/totp': 409,
  'POST /dashboard/api/totp/recovery-codes': 409,
  // The account has one.
  'POST /dashboard/api/keys': 409,
  // The key that is known is a disposable one, which is no key of a sub-user.
  'POST /v1/subusers disableKey': 404,
  'POST /v1/subusers enableKey': 404,
  'POST /v1/subusers deleteKey': 404,
  // Members alone open polls.
  'POST /v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions poll.vote': 404,
};

/** OPTIONS and HEAD have no body to judge; `keys.e2e-spec.ts` looks at preflights. */
const allMethods = ['get', 'post', 'put', 'patch', 'delete', 'propfind', 'search', 'trace'];

/** Thousands of requests, on a machine that does other things too. */
const patienceMs = 300_000;
const rare = 3600;
const config = {
  rateLimits: { windowSeconds: 60, addressReads: 0, addressWrites: 0, keyReads: 0, keyWrites: 0 },
  // Nothing but the requests changes a row.
  ...{ graceSeconds: rare, reconcileSeconds: rare, sweepSeconds: rare, meteringSeconds: rare, leaseTtlSeconds: rare },
};

describe('input that the description does not allow', () => {
  let bed: MediaTestBed;
  // Requests of a list go out eight at a time, and their answers are judged in the order of the list.
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config });
  });
  afterAll(async () => {
    agent.destroy();
    await bed?.close();
  });

  const samplesFor = (audience: Audience) =>
    requestSamples(bed.gateway.app.get(OpenApiService, { strict: false }).document(audience));
  const rowCounts = async () => {
    const database = bed.gateway.app.get(DataSource);
    const tables = await database.query<{ name: string }[]>(tablesQuery);
    const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM "${name}"`);
    return database.query<object[]>(`${counts.join(' UNION ALL ')} ORDER BY 1`);
  };
  const send = ({ method, url, text, contentType = 'application/json' }: Call, sender: Sender) =>
    new Promise<Answer>((resolve, reject) => {
      const credential = sender.headers ?? { Authorization: sender.authorization };
      // Node.js adds no length to the body of a DELETE.
      const described = text !== undefined && {
        'Content-Type': contentType,
        'Content-Length': Buffer.byteLength(text),
      };
      const headers = { ...credential, ...described };
      request(`${bed.gateway.url}${url}`, { method: method.toUpperCase(), headers, agent })
        .once('error', reject)
        .once('response', response => {
          const { statusCode: status = 0 } = response;
          textOf(response).then(answer => resolve({ status, text: answer }), reject);
        })
        .end(text);
    });
  const validCall = (sample: RequestSample, ids: IDs): Call => ({
    what: sample.action ?? '',
    method: sample.method,
    url: pathOf(sample, ids),
    text: sample.body && JSON.stringify(validBody(sample.body, ids)),
  });

  /** Sends what is as described and learns the names of what it made. */
  const accept = async (sample: RequestSample, ids: Record<string, string>, account: Sender) => {
    const { status, text } = await send(validCall(sample, ids), account);
    if (status === declined[titleOf(sample)]) return [];
    if (status >= 300) {
      return [`${titleOf(sample)} is as described: ${status} ${text}`];
    }
    // Metrics are plain text.
    const made = newIDs(text.startsWith('{') ? (JSON.parse(text) as object) : {}, ids);
    Object.assign(ids, made, await follow(made, account));
    return [];
  };
  /** What no request of these makes: a publisher who sends, and a finished recording. */
  const follow = async ({ meetingID, sessionID }: IDs, account: TestAccount): Promise<Record<string, string>> => {
    if (sessionID !== undefined) return activate(sessionID);
    if (meetingID === undefined) return {};
    const recordingID = `rec_of${meetingID}`.slice(0, 26);
    await bed.gateway.app
      .get(DataSource)
      .query(`INSERT INTO recordings (id, account_id, meeting_id, state) VALUES ($1, $2, $3, 'ready')`, [
        recordingID,
        account.accountID,
        meetingID,
      ]);
    return { recordingID };
  };
  const activate = async (sessionID: string): Promise<Record<string, string>> => {
    const trackID = `trk_${sessionID}`;
    const tracks = [
      { ...videoTrack, trackID },
      { ...audioTrack, trackID: `${trackID}2` },
    ];
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks });
    return { trackID };
  };
  const prepare = async (account: TestAccount): Promise<Record<string, string>> => {
    for (const kind of ['stt', 'llm']) {
      const credential = { action: 'create', nickName: `main-${kind}`, kind, provider: 'p', apiKey: 'k-123456' };
      await bed.request('post', '/v1/aicredentials', credential, account);
    }
    return {};
  };
  const refusedBy = async (calls: Call[], sender: Sender): Promise<string[]> => {
    const answers = await Promise.all(calls.map(call => send(call, sender)));
    return calls.flatMap(({ method, url, what }, index) => {
      const { status, text } = answers[index]!;
      if (isRefusal(status, text)) return [];
      return [`${method} ${url.slice(0, 200)}, ${what}: ${status} ${text.slice(0, 300)}`];
    });
  };

  /** Answers that are neither a success nor a refusal. Media that a call made ends, so that its source can end too. */
  const failedBy = async (calls: Call[], sender: Sender): Promise<string[]> => {
    const answers = await Promise.all(calls.map(call => send(call, sender)));
    const made = calls.flatMap(({ url }, index) => mediaMadeBy(url, answers[index]!));
    await Promise.all(made.map(url => send({ what: 'end', method: 'delete', url }, sender)));
    return calls.flatMap(({ method, url, what }, index) => {
      const { status, text } = answers[index]!;
      const isDeclined = status === 503 && method === 'post';
      if (status < 400 || isRefusal(status, text) || isDeclined) return [];
      return [`${method} ${url}, ${what}: ${status} ${text.slice(0, 300)}`];
    });
  };

  const run = async (audience: Audience, account: Sender, ids: Record<string, string>) => {
    const surprises: string[] = [];
    let sent = 0;
    for (const sample of samplesFor(audience)) {
      const calls = badCalls(sample, ids, validCall(sample, ids));
      const before = await rowCounts();
      surprises.push(...(await refusedBy(calls, account)));
      expect({ of: titleOf(sample), rows: await rowCounts() }).toEqual({ of: titleOf(sample), rows: before });
      surprises.push(...(await accept(sample, ids, account)));
      const odd = sample.body ? oddBodies(sample.body, ids) : [];
      surprises.push(
        ...(await failedBy(
          odd.map(each => ({ ...validCall(sample, ids), ...each })),
          account,
        )),
      );
      sent += calls.length + odd.length;
    }
    expect(surprises).toEqual([]);
    return sent;
  };

  it('is every name of what is another’s, of another kind or nobody’s, all with the same answer', async () => {
    const makeAll = async (account: TestAccount) => {
      const ids = await prepare(account);
      const surprises: string[] = [];
      for (const sample of samplesFor('public').filter(({ isMaking }) => isMaking)) {
        surprises.push(...(await accept(sample, ids, account)));
      }
      expect(surprises).toEqual([]);
      return ids;
    };
    const owner = await bed.gateway.makeAccount();
    const stranger = await bed.gateway.makeAccount();
    const [foreign, own] = [await makeAll(owner), await makeAll(stranger)];
    const before = await rowCounts();
    const cases = samplesFor('public').flatMap(sample => namesIn(sample, own).map(name => ({ sample, name })));
    const surprises = await Promise.all(
      cases.map(async ({ sample, name }) => {
        const nobodys = `${own[name]!.slice(0, -5)}00000`;
        const otherKind = Object.entries(own).find(([each]) => each !== name)![1];
        const ids = [nobodys, otherKind, foreign[name]!];
        const answers = await Promise.all(ids.map(id => send(callWith(sample, own, name, id), stranger)));
        const [first] = answers;
        const isAlike = answers.every(({ status, text }) => status === first?.status && text === first.text);
        const finds = !isRefusal(first!.status, first!.text) && !isEmptyList(first!.status, first!.text);
        return isAlike && !finds ? [] : [{ of: titleOf(sample), name, answers }];
      }),
    );
    expect(surprises.flat()).toEqual([]);
    expect(await rowCounts()).toEqual(before);
  });

  it('is every method that a path does not describe', async () => {
    const administrator = { ...bed.account, headers: { Authorization: `Bearer ${testAdminToken}` } };
    const page = await DashboardClient.signedIn(bed.gateway, bed.account.accountID);
    const user = { ...bed.account, headers: { Cookie: page.cookie, [csrfHeader]: page.csrfToken } };
    const senders = [['public', bed.account] as const, ['administration', administrator] as const];
    const surprises: string[] = [];
    for (const [audience, sender] of [...senders, ['dashboard', user] as const]) {
      const { paths } = bed.gateway.app.get(OpenApiService, { strict: false }).document(audience);
      const calls = Object.entries(paths).flatMap(([template, described]) =>
        allMethods
          .filter(method => !(method in described))
          .map(method => ({ what: method, method, url: template.replaceAll(/\{\w+\}/g, 'nothing'), text: '{}' })),
      );
      expect(calls.length).toBeGreaterThan(10);
      surprises.push(...(await refusedBy(calls, sender)));
    }
    expect(surprises).toEqual([]);
  });

  it(
    'is refused in the failure form and leaves nothing, and is taken without the fault: public',
    async () => {
      const ids = await prepare(bed.account);
      expect(await run('public', bed.account, ids)).toBeGreaterThan(1000);
    },
    patienceMs,
  );

  it(
    'is refused in the failure form and leaves nothing, and is taken without the fault: dashboard',
    async () => {
      const page = await DashboardClient.signedIn(bed.gateway, bed.account.accountID);
      const headers = { Cookie: page.cookie, [csrfHeader]: page.csrfToken };
      const sessionID = await bed.openActiveSession();
      const ids = { meetingID: bed.meetingID, sessionID };
      expect(await run('dashboard', { ...bed.account, headers }, ids)).toBeGreaterThan(100);
    },
    patienceMs,
  );

  it(
    'is refused in the failure form and leaves nothing, and is taken without the fault: administration',
    async () => {
      const account = await bed.gateway.makeAccount();
      const administrator = { ...account, authorization: `Bearer ${testAdminToken}` };
      expect(await run('administration', administrator, { nodeID: 'sfu-1' })).toBeGreaterThan(200);
    },
    patienceMs,
  );
});

/** Names of records that the path, the query or the body can have. */
function namesIn({ template, parameters, body }: RequestSample, known: IDs): string[] {
  const inQuery = parameters.map(({ name }) => name);
  const inBody = Object.keys(body?.properties ?? {});
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [...inPath, ...inQuery, ...inBody].filter(name => name in known);
}

function callWith(sample: RequestSample, own: IDs, name: string, id: string): Call {
  const ids = { ...own, [name]: id };
  const isQueried = sample.parameters.some(each => each.name === name && each.in === 'query');
  const body = sample.body && { ...validBody(sample.body, ids), ...(sample.body.properties?.[name] && { [name]: id }) };
  return {
    what: name,
    method: sample.method,
    url: `${pathOf(sample, ids)}${isQueried ? `?${name}=${id}` : ''}`,
    text: body && JSON.stringify(body),
  };
}

function titleOf({ method, template, action }: RequestSample): string {
  return [method.toUpperCase(), template, ...(action === undefined ? [] : [action])].join(' ');
}

function badCalls(sample: RequestSample, ids: IDs, valid: Call): Call[] {
  const bodies = sample.body ? badBodies(sample.body, ids) : [];
  const addresses = [...badPaths(sample, ids), ...(sample.method === 'get' ? badQueries(sample, ids) : [])];
  return [...bodies.map(body => ({ ...valid, ...body })), ...addresses.map(address => ({ ...valid, ...address }))];
}

/** Of the record that an answer is about. */
function newIDs(answer: object, known: IDs): Record<string, string> {
  const records = Object.values(answer).filter(value => typeof value === 'object' && value !== null) as object[];
  const fields = records.flatMap(record => Object.entries(record) as [string, unknown][]);
  const names = fields.filter(([name, value]) => name.endsWith('ID') && typeof value === 'string' && !(name in known));
  const ids = Object.fromEntries(names) as Record<string, string>;
  return ids['sessionID'] === undefined ? ids : { ...ids, sourceSessionID: ids['sessionID'] };
}

/** The address of a session, playback or broadcast that a call made. */
function mediaMadeBy(url: string, { status, text }: Answer): string[] {
  if (status !== 201 || !/^\/v1\/meetings\/[^/]+\/[^/]+$/.test(url)) return [];
  const record = Object.values(JSON.parse(text) as object).find(value => typeof value === 'object') as object;
  return [`${url}/${String(Object.values(record)[0])}`];
}

/** Nothing of how the service is made: a dotted path, an index, a class, a stack, a query. */
const internals = /\b\w+\.\w|\w\[\d|Dto\b|Error:|SELECT |INSERT |column|constraint/;
const example = /such as \S+|poll\.vote|chat\.send|participant\.request/g;

/** What a list that is filtered by the name of a record answers. */
function isEmptyList(status: number, text: string): boolean {
  return status === 200 && (text === '[]' || (JSON.parse(text) as { total?: unknown }).total === 0);
}

function isRefusal(status: number, text: string): boolean {
  if (status < 400 || status >= 500) return false;
  const body = JSON.parse(text) as { success?: unknown; error?: unknown; code?: unknown };
  return (
    body.success === false &&
    typeof body.code === 'string' &&
    !internals.test(String(body.error).replaceAll(example, ''))
  );
}

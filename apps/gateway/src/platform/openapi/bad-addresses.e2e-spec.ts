import { csrfHeader } from '@rtms/contracts';
import { DashboardClient } from '../../testing/dashboard-client.js';
import { DescribedRequests, isRefusal, titleOf, type Call } from '../../testing/described-requests.js';
import { pathOf, validBody, type IDs, type RequestSample } from '../../testing/request-samples.js';
import { testAdminToken, type TestAccount } from '../../testing/start-test-gateway.js';

/** Without OPTIONS and HEAD, whose answers have no body. `keys.e2e-spec.ts` tests preflights. */
const allMethods = ['get', 'post', 'put', 'patch', 'delete', 'propfind', 'search', 'trace'];

describe('addresses against the OpenAPI document', () => {
  let requests: DescribedRequests;

  beforeAll(async () => {
    requests = await DescribedRequests.open();
  });
  afterAll(() => requests?.close());

  it('gives unknown, foreign and mistyped identifiers the same answer', async () => {
    const makeAll = async (account: TestAccount) => {
      const ids = await requests.prepare(account);
      const surprises: string[] = [];
      for (const sample of requests.samplesFor('public').filter(({ isMaking }) => isMaking)) {
        surprises.push(...(await requests.accept(sample, ids, account)));
      }
      expect(surprises).toEqual([]);
      return ids;
    };
    const owner = await requests.bed.gateway.makeAccount();
    const stranger = await requests.bed.gateway.makeAccount();
    const [foreign, own] = [await makeAll(owner), await makeAll(stranger)];
    const before = await requests.rowCounts();
    const cases = requests.samplesFor('public').flatMap(sample => namesIn(sample, own).map(name => ({ sample, name })));
    const surprises = await Promise.all(
      cases.map(async ({ sample, name }) => {
        const nobodys = `${own[name]!.slice(0, -5)}00000`;
        const otherKind = Object.entries(own).find(([each]) => each !== name)![1];
        const ids = [nobodys, otherKind, foreign[name]!];
        const answers = await Promise.all(ids.map(id => requests.send(callWith(sample, own, name, id), stranger)));
        const [first] = answers;
        const isAlike = answers.every(({ status, text }) => status === first?.status && text === first.text);
        const finds = !isRefusal(first!.status, first!.text) && !isEmptyList(first!.status, first!.text);
        return isAlike && !finds ? [] : [{ of: titleOf(sample), name, answers }];
      }),
    );
    expect(surprises.flat()).toEqual([]);
    expect(await requests.rowCounts()).toEqual(before);
  });

  it('refuses every method that the document does not describe', async () => {
    const administrator = { ...requests.bed.account, headers: { Authorization: `Bearer ${testAdminToken}` } };
    const page = await DashboardClient.signedIn(requests.bed.gateway, requests.bed.account.accountID);
    const user = { ...requests.bed.account, headers: { Cookie: page.cookie, [csrfHeader]: page.csrfToken } };
    const senders = [['public', requests.bed.account] as const, ['administration', administrator] as const];
    const surprises: string[] = [];
    for (const [audience, sender] of [...senders, ['dashboard', user] as const]) {
      const { paths } = requests.document(audience);
      const calls = Object.entries(paths).flatMap(([template, described]) =>
        allMethods
          .filter(method => !(method in described))
          .map(method => ({ what: method, method, url: template.replaceAll(/\{\w+\}/g, 'nothing'), text: '{}' })),
      );
      expect(calls.length).toBeGreaterThan(10);
      surprises.push(...(await requests.refusedBy(calls, sender)));
    }
    expect(surprises).toEqual([]);
  });
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

/** A list that is filtered by an unknown record is empty. */
function isEmptyList(status: number, text: string): boolean {
  if (status !== 200 || text === '[]') return status === 200;
  const { total, events } = JSON.parse(text) as { total?: unknown; events?: unknown[] };
  return total === 0 || events?.length === 0;
}

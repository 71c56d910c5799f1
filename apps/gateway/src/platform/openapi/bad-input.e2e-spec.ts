import { csrfHeader } from '@rtms/contracts';
import { badPaths, badQueries } from '../../testing/bad-addresses.js';
import { badBodies, oddBodies } from '../../testing/bad-bodies.js';
import { DashboardClient } from '../../testing/dashboard-client.js';
import { DescribedRequests, titleOf, validCall, type Call, type Sender } from '../../testing/described-requests.js';
import type { IDs, RequestSample } from '../../testing/request-samples.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';
import type { Audience } from './document.js';

/** Time for thousands of requests on a busy machine. */
const patienceMs = 300_000;

describe('input against the OpenAPI document', () => {
  let requests: DescribedRequests;

  beforeAll(async () => {
    requests = await DescribedRequests.open();
  });
  afterAll(() => requests?.close());

  const run = async (audience: Audience, account: Sender, ids: Record<string, string>) => {
    const surprises: string[] = [];
    let sent = 0;
    for (const sample of requests.samplesFor(audience)) {
      const calls = badCalls(sample, ids, validCall(sample, ids));
      const before = await requests.rowCounts();
      surprises.push(...(await requests.refusedBy(calls, account)));
      expect({ of: titleOf(sample), rows: await requests.rowCounts() }).toEqual({ of: titleOf(sample), rows: before });
      surprises.push(...(await requests.accept(sample, ids, account)));
      const odd = sample.body ? oddBodies(sample.body, ids) : [];
      surprises.push(
        ...(await requests.failedBy(
          odd.map(each => ({ ...validCall(sample, ids), ...each })),
          account,
        )),
      );
      sent += calls.length + odd.length;
    }
    expect(surprises).toEqual([]);
    return sent;
  };

  it(
    'is refused without a trace, and accepted without its fault: public',
    async () => {
      const ids = await requests.prepare(requests.bed.account);
      expect(await run('public', requests.bed.account, ids)).toBeGreaterThan(1000);
    },
    patienceMs,
  );

  it(
    'is refused without a trace, and accepted without its fault: dashboard',
    async () => {
      const page = await DashboardClient.signedIn(requests.bed.gateway, requests.bed.account.accountID);
      const headers = { Cookie: page.cookie, [csrfHeader]: page.csrfToken };
      const sessionID = await requests.bed.openActiveSession();
      const ids = { meetingID: requests.bed.meetingID, sessionID };
      expect(await run('dashboard', { ...requests.bed.account, headers }, ids)).toBeGreaterThan(100);
    },
    patienceMs,
  );

  it(
    'is refused without a trace, and accepted without its fault: administration',
    async () => {
      const account = await requests.bed.gateway.makeAccount();
      // The last SFU node would refuse to drain.
      await requests.bed.startSfu('sfu-2');
      const administrator = { ...account, authorization: `Bearer ${testAdminToken}` };
      expect(await run('administration', administrator, { nodeID: 'sfu-1' })).toBeGreaterThan(200);
    },
    patienceMs,
  );
});

function badCalls(sample: RequestSample, ids: IDs, valid: Call): Call[] {
  const bodies = sample.body ? badBodies(sample.body, ids) : [];
  const addresses = [...badPaths(sample, ids), ...(sample.method === 'get' ? badQueries(sample, ids) : [])];
  return [...bodies.map(body => ({ ...valid, ...body })), ...addresses.map(address => ({ ...valid, ...address }))];
}

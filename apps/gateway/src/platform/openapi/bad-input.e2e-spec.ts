/** @seconds 38 */
import { csrfHeader } from '@rtms/contracts';
import { badPaths, badQueries } from '../../testing/bad-addresses.js';
import { badBodies, oddBodies } from '../../testing/bad-bodies.js';
import { DashboardClient } from '../../testing/dashboard-client.js';
import { DescribedRequests, titleOf, validCall, type Call, type Sender } from '../../testing/described-requests.js';
import type { IDs, RequestSample } from '../../testing/request-samples.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';

/** The public document has thousands of requests, too many for one test on a busy machine. */
const publicParts = 6;

describe('input against the OpenAPI document', () => {
  let requests: DescribedRequests;

  beforeAll(async () => {
    requests = await DescribedRequests.open();
  });
  afterAll(() => requests?.close());

  /** Returns the number of bad requests. */
  const run = async (samples: RequestSample[], account: Sender, ids: Record<string, string>) => {
    const surprises: string[] = [];
    let sent = 0;
    for (const sample of samples) {
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

  describe('is refused without a trace, and accepted without its fault', () => {
    /** Of records that the accepted requests have created. */
    let ids: Record<string, string>;
    let sent = 0;

    beforeAll(async () => {
      ids = await requests.prepare(requests.bed.account);
    });

    it.each(Array.from({ length: publicParts }, (_, index) => index + 1))(
      `public, part %i of ${publicParts}`,
      async part => {
        const samples = requests.samplesFor('public');
        const [from, to] = [part - 1, part].map(each => Math.ceil((samples.length * each) / publicParts));
        sent += await run(samples.slice(from, to), requests.bed.account, ids);
        if (part === publicParts) expect(sent).toBeGreaterThan(1000);
      },
    );

    it('dashboard', async () => {
      const page = await DashboardClient.signedIn(requests.bed.gateway, requests.bed.account.accountID);
      const headers = { Cookie: page.cookie, [csrfHeader]: page.csrfToken };
      const sessionID = await requests.bed.openActiveSession();
      const known = { meetingID: requests.bed.meetingID, sessionID };
      const account = { ...requests.bed.account, headers };
      expect(await run(requests.samplesFor('dashboard'), account, known)).toBeGreaterThan(100);
    });

    it('administration', async () => {
      const account = await requests.bed.gateway.makeAccount();
      // The last SFU node would refuse to drain.
      await requests.bed.startSfu('sfu-2');
      const administrator = { ...account, authorization: `Bearer ${testAdminToken}` };
      const samples = requests.samplesFor('administration');
      expect(await run(samples, administrator, { nodeID: 'sfu-1' })).toBeGreaterThan(200);
    });
  });
});

function badCalls(sample: RequestSample, ids: IDs, valid: Call): Call[] {
  const bodies = sample.body ? badBodies(sample.body, ids) : [];
  const addresses = [...badPaths(sample, ids), ...(sample.method === 'get' ? badQueries(sample, ids) : [])];
  return [...bodies.map(body => ({ ...valid, ...body })), ...addresses.map(address => ({ ...valid, ...address }))];
}

import { MediaTestBed } from '../../testing/media-test-bed.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';

describe('viewer limits', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { accountLimits: { viewersPerPlayback: 40 } } });
  });
  afterAll(() => bed?.close());

  const setLimits = (limits: object) =>
    bed.gateway.http
      .put(`/admin/v1/accounts/${bed.account.accountID}/limits`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .send(limits)
      .expect(200);

  it('travel with each playback, and nodes get changes by an administrator', async () => {
    const { accountID } = bed.account;
    const sessionID = await bed.openActiveSession();
    await bed.openPlayback(sessionID);
    const plan = { viewersPerPlayback: 40, viewersPerAccount: 5_000 };
    expect(bed.sfu.received('playback.open')).toMatchObject([{ account: { accountID, limits: plan } }]);

    await setLimits({ viewersPerPlayback: 3 });
    const changed = { accountID, limits: { ...plan, viewersPerPlayback: 3 } };
    expect(bed.sfu.received('account.viewer-limits')).toEqual([changed]);

    await bed.openPlayback(sessionID);
    expect(bed.sfu.received('playback.open').at(-1)).toMatchObject({ account: changed });
  });
});

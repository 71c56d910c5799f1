import { DashboardClient } from '../../testing/dashboard-client.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

describe('the statistics of a session', () => {
  let bed: MediaTestBed;
  let page: DashboardClient;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    page = await DashboardClient.signedIn(bed.gateway, bed.account.accountID);
  });
  afterAll(() => bed?.close());

  const read = (sessionID: string, by = page) => by.get(`/dashboard/api/external-sessions/${sessionID}/statistics`);

  it('come from the node of the session', async () => {
    const sessionID = await bed.openActiveSession();
    const { statistics } = (await read(sessionID).expect(200)).body;
    expect(statistics.sessionID).toBe(sessionID);
    expect(statistics.tracks).toEqual([
      expect.objectContaining({ kind: 'video', codec: 'VP8', bitrate: 1_200_000, width: 1280, frameRate: 30 }),
    ]);
  });

  it('are only for the own account, and only while a publisher sends', async () => {
    const sessionID = await bed.openActiveSession();
    const stranger = await DashboardClient.signedIn(bed.gateway, (await bed.gateway.makeAccount()).accountID);
    await read(sessionID, stranger).expect(404);
    await read('ext_unknown').expect(404);
    await bed.request('delete', `/v1/meetings/${bed.meetingID}/external-sessions/${sessionID}`);
    expect((await read(sessionID).expect(409)).body.reason).toBe('source_not_active');
  });

  it('are unavailable while the node does not answer', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sessions.delete(sessionID);
    const { body, headers } = await read(sessionID).expect(503);
    expect(body.reason).toBe('controller_unavailable');
    expect(headers['retry-after']).toBeDefined();
  });
});

import { MediaTestBed } from '../../testing/media-test-bed.js';

describe('a thumbnail', () => {
  let bed: MediaTestBed;
  let sessionID: string;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    sessionID = await bed.openActiveSession();
  });
  afterAll(() => bed?.close());

  const sessionPath = (id = sessionID) => `/v1/meetings/${bed.meetingID}/external-sessions/${id}`;
  const read = async (id: string) => (await bed.request('get', sessionPath(id))).body['externalSession'];
  /** The signed path of a session, below the gateway. */
  const signedPath = async (id = sessionID) => {
    const { thumbnailUrl } = (await read(id)) as { thumbnailUrl: string };
    const { pathname, search } = new URL(thumbnailUrl);
    return pathname + search;
  };
  const get = (path: string) => bed.gateway.http.get(path);

  it('needs no key at its signed address', async () => {
    const { body, headers } = await get(await signedPath()).expect(200);
    expect(String(body)).toBe(`picture of ${sessionID}`);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=5',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const request = { sourceID: sessionID, accountID: bed.account.accountID, sfuNodeID: 'sfu-1' };
    expect(bed.transcoder.pictured).toEqual([request]);
  });

  it('is refused without its own token', async () => {
    const other = await bed.openActiveSession();
    const [, token] = (await signedPath(other)).split('?token=');
    for (const query of ['', '?token=', `?token=${token}`, `?token=${token}x`, '?token=a&token=b']) {
      const { body } = await get(`${sessionPath()}/thumbnail.jpg${query}`).expect(401);
      expect(body.reason).toBe('invalid_credentials');
    }
    const { body } = await get(`${sessionPath()}/thumbnail.jpg`).set('Authorization', bed.account.authorization);
    expect(body.reason).toBe('invalid_credentials');
  });

  it('always comes from the same transcoder', async () => {
    const others = [await bed.startTranscoder('transcoder-2'), await bed.startTranscoder('transcoder-3')];
    const all = [bed.transcoder, ...others];
    for (const { pictured } of all) pictured.length = 0;
    for (let count = 0; count < 4; count += 1) await get(await signedPath()).expect(200);
    expect(all.map(({ pictured }) => pictured.length).sort()).toEqual([0, 0, 4]);
    for (const node of all) await bed.lose(node);
    const { body } = await get(await signedPath()).expect(503);
    expect(body.reason).toBe('controller_unavailable');
  });

  it('has no address before and after the session sends', async () => {
    const path = await signedPath();
    const pending = await bed.openSession();
    expect(await read(pending)).toMatchObject({ state: 'pending', thumbnailUrl: null });
    await bed.request('delete', sessionPath());
    expect(await read(sessionID)).toMatchObject({ state: 'ended', thumbnailUrl: null });
    const { body } = await get(path).expect(409);
    expect(body.reason).toBe('source_not_active');
  });
});

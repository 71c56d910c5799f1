import { ServiceError } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { leaseRenewalMs } from '../testing/fake-node.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

const session = { displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video', 'audio'] } };
const both = ['video', 'audio'];

describe('refusals of external media', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => {
    for (const node of [bed.sfu, bed.transcoder]) node.refusals.clear();
  });

  /** Sets the feature for the account, unless another scope is given. */
  const setFeature = (feature: string, enabled: boolean, scope: object = { accountID: bed.account.accountID }) =>
    bed.gateway.http
      .put('/admin/v1/features')
      .set('Authorization', `Bearer ${bed.gateway.config.adminToken}`)
      .send({ ...scope, feature, enabled })
      .expect(200);

  it.each([
    { name: 'no displayName', body: { ingest: session.ingest }, says: /displayName/ },
    { name: 'no ingest', body: { displayName: 'Camera' }, says: /ingest/ },
    { name: 'an ingest that is no object', body: { ...session, ingest: 'whip' }, says: /ingest/ },
    { name: 'an unknown protocol', body: { ...session, ingest: { protocol: 'rist', tracks: both } }, says: /protocol/ },
    { name: 'no tracks', body: { ...session, ingest: { protocol: 'whip', tracks: [] } }, says: /tracks/ },
    { name: 'an unknown kind', body: { ...session, ingest: { protocol: 'whip', tracks: ['text'] } }, says: /tracks/ },
    {
      name: 'a kind twice',
      body: { ...session, ingest: { protocol: 'whip', tracks: ['video', 'video'] } },
      says: /tracks/,
    },
  ])('refuses a session with $name', async ({ body, says }) => {
    const answer = await bed.post('external-sessions', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', reason: 'invalid_request' } });
    expect(answer.body.error).toMatch(says);
    expect(answer.body.error).not.toMatch(/ingest\.|each value|must be an instance/);
  });

  it('names unknown fields, also of the ingest', async () => {
    const answer = await bed.post('external-sessions', { ...session, ingest: { ...session.ingest, bitrate: 1 } });
    expect(answer).toMatchObject({ status: 400, body: { reason: 'unknown_field' } });
    expect(answer.body.error).toMatch(/bitrate/);
  });

  it.each([
    { feature: 'whip', collection: 'external-sessions' as const, body: session },
    { feature: 'whep', collection: 'playbacks' as const, body: { sourceSessionID: 'ext_x', tracks: both } },
    { feature: 'hls', collection: 'broadcasts' as const, body: { sourceSessionID: 'ext_x' } },
  ])('declines $collection while $feature is switched off', async ({ feature, collection, body }) => {
    await setFeature(feature, false);
    expect(await bed.post(collection, body)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', reason: 'feature_disabled' },
    });
    await setFeature(feature, true);
  });

  it('declines broadcasts while HLS is switched off for the whole platform', async () => {
    const sourceSessionID = await bed.openActiveSession();
    await setFeature('hls', false, {});
    expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', reason: 'feature_disabled' },
    });
    await setFeature('hls', true, {});
    expect((await bed.post('broadcasts', { sourceSessionID })).status).toBe(201);
  });

  it('answers not found for rooms and resources of other accounts', async () => {
    const stranger = await bed.gateway.makeAccount();
    const sessionID = await bed.openSession();
    for (const path of [
      bed.path('external-sessions', sessionID),
      '/v1/meetings/room_none/external-sessions/ext_none',
    ]) {
      const foreign = await bed.request('get', path, undefined, stranger);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect((await bed.request('delete', path, undefined, stranger)).status).toBe(404);
    }
    expect((await bed.request('get', bed.path('playbacks'), undefined, stranger)).status).toBe(404);
    expect((await bed.request('post', bed.path('external-sessions'), session, stranger)).status).toBe(404);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending' });
  });

  it('opens no playback or broadcast of a source that is unknown, of another room, not yet active or ended', async () => {
    const { meetingID } = bed;
    const foreign = await bed.openActiveSession();
    bed.meetingID = await bed.createRoom();
    const pending = await bed.openSession();
    const ended = await bed.openActiveSession();
    await bed.remove('external-sessions', ended);
    for (const [sourceSessionID, status, reason] of [
      ['ext_none', 404, 'not_found'],
      [foreign, 404, 'not_found'],
      [pending, 409, 'source_not_active'],
      [ended, 409, 'session_ended'],
    ] as const) {
      expect(await bed.post('playbacks', { sourceSessionID, tracks: both })).toMatchObject({
        status,
        body: { reason },
      });
      expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject({ status, body: { reason } });
    }
    bed.meetingID = meetingID;
  });

  it('sends no Retry-After for a session that has ended', async () => {
    const ended = await bed.openActiveSession();
    await bed.remove('external-sessions', ended);
    const { headers } = await bed.gateway.http
      .post(bed.path('playbacks'))
      .set('Authorization', bed.account.authorization)
      .send({ sourceSessionID: ended, tracks: both })
      .expect(409);
    expect(headers['retry-after']).toBeUndefined();
  });

  it.each(['external-sessions', 'playbacks', 'broadcasts'] as const)(
    'keeps the reason of a DELETE of %s',
    async kind => {
      const sourceSessionID = await bed.openActiveSession();
      const made = kind === 'playbacks' ? { sourceSessionID, tracks: both } : { sourceSessionID };
      const ids: Record<string, string> = {
        sessionID: sourceSessionID,
        ...(kind !== 'external-sessions' && idsOf((await bed.post(kind, made)).body)),
      };
      const id = {
        'external-sessions': ids['sessionID'],
        playbacks: ids['playbackID'],
        broadcasts: ids['broadcastID'],
      }[kind];
      const path = bed.path(kind, id);
      const reasonOf = ({ body }: { body: object }) => (Object.values(body)[1] as { reason: unknown }).reason;
      expect(reasonOf(await bed.request('get', path))).toBeNull();
      expect(reasonOf(await bed.request('delete', path, { reason: 'The show is over.' }))).toBe('The show is over.');
      await bed.request('delete', path, { reason: 'Twice.' });
      expect(reasonOf(await bed.request('get', path))).toBe('The show is over.');
    },
  );

  it('lets a key that reads rooms read media resources, and neither change nor play them', async () => {
    const sourceSessionID = await bed.openActiveSession();
    const { body } = await bed.post('broadcasts', { sourceSessionID });
    const { broadcastID } = idsOf(body);
    const key = { action: 'create', name: 'monitor', type: 'sandbox', operations: ['readRooms'] };
    const issued = await bed.request('post', '/v1/disposable-keys', key);
    const { apiKey } = issued.body['disposableKey'] as { apiKey: string };
    const reader = { ...bed.account, authorization: `Bearer ${bed.account.apiUserName}:${apiKey}` };
    for (const kind of ['external-sessions', 'playbacks', 'broadcasts'] as const)
      expect((await bed.request('get', bed.path(kind), undefined, reader)).status).toBe(200);
    const read = await bed.request('get', bed.path('broadcasts', broadcastID), undefined, reader);
    expect(read).toMatchObject({ status: 200, body: { broadcast: { broadcastID, playbackUrl: null } } });
    const refused = await bed.request('delete', bed.path('external-sessions', sourceSessionID), undefined, reader);
    expect(refused).toMatchObject({ status: 403, body: { reason: 'operation_not_granted' } });
  });

  it('names the kind of media that a source lacks', async () => {
    const audioOnly = await bed.openActiveSession(['audio']);
    const videoOnly = await bed.openActiveSession(['video']);
    const reasonOf = async (sourceSessionID: string, tracks: string[]) =>
      (await bed.post('playbacks', { sourceSessionID, tracks })).body.reason;
    expect(await reasonOf(audioOnly, both)).toBe('source_has_no_video');
    expect(await reasonOf(videoOnly, both)).toBe('source_not_active');
    expect((await bed.post('broadcasts', { sourceSessionID: audioOnly })).body).toMatchObject({
      code: 'CONFLICT',
      reason: 'source_has_no_video',
    });
    expect((await bed.post('playbacks', { sourceSessionID: audioOnly, tracks: ['audio'] })).status).toBe(201);
  });

  it('returns the reason of a worker that refuses, and keeps no row', async () => {
    const sourceSessionID = await bed.openActiveSession();
    bed.sfu.refusals.set('session.open', new ServiceError('capacity_reached', 'full'));
    bed.sfu.refusals.set('playback.open', new ServiceError('capacity_reached', 'full'));
    bed.transcoder.refusals.set('broadcast.start', new ServiceError('source_codec_unsupported', 'Not this codec.'));
    const before = await bed.request('get', bed.path('external-sessions'));
    expect(await bed.post('external-sessions', session)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', reason: 'capacity_reached' },
      headers: { 'retry-after': expect.any(String) },
    });
    expect(await bed.post('playbacks', { sourceSessionID, tracks: both })).toMatchObject({
      status: 503,
      body: { reason: 'capacity_reached' },
    });
    expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject({
      status: 409,
      body: { reason: 'source_codec_unsupported' },
    });
    const after = await bed.request('get', bed.path('external-sessions'));
    expect(after.body['total']).toBe(before.body['total']);
    expect((await bed.remove('external-sessions', sourceSessionID)).status).toBe(200);
  });

  it('answers a general failure for an unexpected error of a worker', async () => {
    bed.sfu.refusals.set('session.open', new Error('secret internals'));
    const answer = await bed.post('external-sessions', session);
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(answer.body.error).not.toMatch(/secret/);
  });

  it('opens nothing in a room that has ended', async () => {
    const sourceSessionID = await bed.openActiveSession();
    await bed.endRoom();
    const ended = { status: 409, body: { code: 'CONFLICT', reason: 'room_ended' } };
    expect(await bed.post('external-sessions', session)).toMatchObject(ended);
    expect(await bed.post('playbacks', { sourceSessionID, tracks: both })).toMatchObject(ended);
    expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject(ended);
    bed.meetingID = await bed.createRoom();
  });

  it('answers 503 while all nodes drain, are full, or are lost', async () => {
    const sourceSessionID = await bed.openActiveSession();
    const declined = (reason: string) => ({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', reason } });
    bed.transcoder.load = bed.transcoder.capacity;
    await bed.advance(leaseRenewalMs);
    expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject(declined('capacity_reached'));
    bed.transcoder.load = 0;
    bed.transcoder.draining = true;
    await bed.advance(leaseRenewalMs);
    expect(await bed.post('broadcasts', { sourceSessionID })).toMatchObject(declined('controller_unavailable'));
    bed.transcoder.draining = false;
    await bed.sfu.die();
    expect(await bed.post('external-sessions', session)).toMatchObject(declined('controller_unavailable'));
    await bed.lose(bed.sfu);
    expect(await bed.post('external-sessions', session)).toMatchObject(declined('controller_unavailable'));
    await bed.restart(bed.sfu);
  });

  it('refuses an image for a slate that is not public, or not for one source', async () => {
    const sourceSessionID = await bed.openActiveSession();
    for (const [body, says] of [
      [{ sourceSessionID, slate: { imageUrl: 'http://cdn.example.com/a.png' } }, 'slate.imageUrl must be an https'],
      [{ sourceSessionID, slate: { imageUrl: 'https://127.1/a.png' } }, 'slate.imageUrl must be a public address'],
      [{ sourceSessionID, slate: { imageUrl: 'https://[::1]/a.png' } }, 'slate.imageUrl must be a public address'],
      [{ sourceSessionID, slate: { imageUrl: 'ftp://cdn.example.com/a.png' } }, 'must be an https address'],
      [{ sourceSessionID, slate: {} }, 'imageUrl'],
      [{ layout: 'grid', slate: { imageUrl: 'https://cdn.example.com/a.png' } }, 'slate is for a broadcast of one'],
    ] as const) {
      const answer = await bed.post('broadcasts', body);
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(says)]);
    }
  });

  it('keeps a broadcast whose slate has no image, and says why', async () => {
    const sourceSessionID = await bed.openActiveSession();
    const slate = { imageUrl: 'https://cdn.example.com/a.png?signature=1' };
    const { status, body } = await bed.post('broadcasts', { sourceSessionID, slate });
    expect(status).toBe(201);
    const { broadcastID, slate: made } = body['broadcast'] as { broadcastID: string; slate: object };
    expect(made).toEqual({ ...slate, problem: null });
    const sent = await bed.transcoder.command('broadcast.start', request => request['broadcastID'] === broadcastID);
    expect(sent['slate']).toEqual({ ...slate, allowsPrivate: false, accountID: bed.account.accountID });
    const report = { type: 'broadcast.active' as const, renditions: [] };
    await bed.transcoder.publish(broadcastID, { ...report, slateProblem: 'image_unsupported' });
    await waitFor(async () => (await bed.get('broadcasts', broadcastID))['state'] === 'active', {
      what: 'the active broadcast',
    });
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ slate: { problem: 'image_unsupported' } });
  });
});

/** The identifiers of the record in an answer. */
function idsOf(body: object): Record<string, string> {
  return Object.values(body).find(value => typeof value === 'object') as Record<string, string>;
}

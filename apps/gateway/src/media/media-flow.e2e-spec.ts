import { endpointState } from '@rtms/contracts';
import { MediaTestBed } from '../testing/media-test-bed.js';
import { audioTrack, videoTrack } from '../testing/fake-sfu.js';
import { rendition } from '../testing/fake-transcoder.js';

describe('the flow of external media', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());

  it('opens, activates, plays, broadcasts and ends in order', async () => {
    const created = await bed.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks: ['video', 'audio'] },
    });
    expect(created).toMatchObject({ status: 201, body: { success: true } });
    const session = created.body['externalSession'] as Record<string, never>;
    const sessionID: string = session['sessionID'] ?? '';
    expect(session).toMatchObject({
      sessionID: expect.stringMatching(/^ext_\w{22}$/),
      meetingID: bed.meetingID,
      displayName: 'Camera',
      state: 'pending',
      ingest: {
        protocol: 'whip',
        tracks: ['video', 'audio'],
        url: `http://sfu-1.test/whip/${sessionID}`,
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenExpiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      tracks: [],
      activatedAt: null,
      endedAt: null,
      endReason: null,
    });

    await bed.sfu.activate(sessionID);
    const active = await bed.expectState('external-sessions', sessionID, 'active');
    expect(active).toMatchObject({ tracks: [videoTrack, audioTrack], activatedAt: expect.any(String) });
    expect(active['ingest']).not.toHaveProperty('token');

    const played = await bed.post('playbacks', { sourceSessionID: sessionID, tracks: ['video', 'audio'] });
    expect(played.status).toBe(201);
    const playback = played.body['playback'] as Record<string, string>;
    const playbackID = playback['playbackID'] ?? '';
    expect(playback).toMatchObject({
      sourceSessionID: sessionID,
      state: 'ready',
      endpoint: `http://sfu-1.test/whep/${playbackID}`,
      token: expect.any(String),
      payloadProfile: { codecs: [] },
    });
    expect(await bed.get('playbacks', playbackID)).not.toHaveProperty('token');

    const begun = await bed.post('broadcasts', { sourceSessionID: sessionID });
    const broadcast = begun.body['broadcast'] as Record<string, string>;
    const broadcastID = broadcast['broadcastID'] ?? '';
    expect(begun).toMatchObject({ status: 201, body: { broadcast: { state: 'starting', renditions: [] } } });
    expect(bed.transcoder.received('broadcast.start')).toMatchObject([
      { broadcastID, sourceID: sessionID, meetingID: bed.meetingID, sfuNodeID: 'sfu-1', tracks: ['video', 'audio'] },
    ]);
    await bed.transcoder.activate(broadcastID);
    const live = await bed.expectState('broadcasts', broadcastID, 'active');
    expect(live).toMatchObject({
      renditions: [rendition],
      playbackUrl: expect.stringMatching(`^http://transcoder-1.test/hls/${broadcastID}/index.m3u8\\?token=`),
      playbackTokenExpiresAt: expect.any(String),
    });

    await expect(bed.remove('external-sessions', sessionID)).resolves.toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', reason: 'has_dependents' },
    });
    for (const [collection, id] of [
      ['playbacks', playbackID],
      ['broadcasts', broadcastID],
      ['external-sessions', sessionID],
    ] as const) {
      expect((await bed.remove(collection, id)).status).toBe(200);
      const again = await bed.remove(collection, id);
      expect(again.status).toBe(200);
      expect(await bed.get(collection, id)).toMatchObject({ state: 'ended', endReason: 'requested' });
    }
    expect(bed.sfu.sessions.size + bed.sfu.playbacks.size + bed.transcoder.jobs.size).toBe(0);
  });

  it('lists the resources of a room, newest first and in pages', async () => {
    bed.meetingID = await bed.createRoom();
    const sessionIDs: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      sessionIDs.push(await bed.openActiveSession());
      await bed.advance(1);
    }
    const newestFirst = sessionIDs.toReversed();
    const idsOf = (list: unknown) => (list as { sessionID: string }[]).map(each => each.sessionID);
    const whole = await bed.request('get', bed.path('external-sessions'));
    expect(whole.body).toMatchObject({ success: true, total: 3, startIndex: 0, pageSize: 20 });
    expect(idsOf(whole.body['externalSessions'])).toEqual(newestFirst);
    const part = await bed.request('get', `${bed.path('external-sessions')}?startIndex=1&pageSize=1`);
    expect(part.body).toMatchObject({ total: 3, startIndex: 1, pageSize: 1 });
    expect(idsOf(part.body['externalSessions'])).toEqual([newestFirst[1]]);
    await bed.openPlayback(sessionIDs[0] ?? '');
    await bed.openBroadcast(sessionIDs[0] ?? '');
    for (const collection of ['playbacks', 'broadcasts'] as const) {
      const { body } = await bed.request('get', bed.path(collection));
      expect(body).toMatchObject({ success: true, total: 1, [collection]: [{ sourceSessionID: sessionIDs[0] }] });
    }
    const unknown = await bed.request('get', '/v1/meetings/room_none/broadcasts');
    expect(unknown).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } });
  });

  it('tells SFU nodes whether the endpoint of a session or a playback has ended', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const states = async () => {
      const questions = [
        { protocol: 'whip', resourceID: sessionID },
        { protocol: 'whep', resourceID: playbackID },
        { protocol: 'whep', resourceID: sessionID },
      ] as const;
      const answers = questions.map(question => bed.nodeBuses.sfu.request(endpointState, question));
      return (await Promise.all(answers)).map(({ state }) => state);
    };
    expect(await states()).toEqual(['live', 'live', 'unknown']);
    const ending = await bed.request('post', '/v1/rooms', { action: 'end', meetingID: bed.meetingID });
    expect(ending.status).toBe(200);
    expect(await states()).toEqual(['ended', 'ended', 'unknown']);
    bed.meetingID = await bed.createRoom();
  });

  describe('answers a transcoder about a broadcast', () => {
    const stateOf = async (broadcastID: string) => {
      const question = { protocol: 'hls', resourceID: broadcastID } as const;
      return (await bed.nodeBuses.transcoder.request(endpointState, question)).state;
    };
    const openSource = async () => {
      const sessionID = await bed.openActiveSession();
      return { sessionID, broadcastID: await bed.openActiveBroadcast(sessionID) };
    };

    it('that it is live until it ends, and that another is unknown', async () => {
      const { broadcastID } = await openSource();
      expect(await stateOf(broadcastID)).toBe('live');
      await bed.transcoder.report(broadcastID, { type: 'broadcast.interrupted', reason: 'source_lost' });
      expect(await stateOf(broadcastID)).toBe('live');
      expect(await stateOf('bcast_none')).toBe('unknown');
    });

    it.each<[string, (source: { sessionID: string; broadcastID: string }) => Promise<unknown>]>([
      ['its deletion', ({ broadcastID }) => bed.remove('broadcasts', broadcastID)],
      [
        'the end of its source',
        ({ sessionID }) => bed.sfu.report(sessionID, { type: 'external_session.ended', reason: 'publisher_left' }),
      ],
      [
        'the failure of its encoder',
        ({ broadcastID }) => bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' }),
      ],
    ])('that it has ended after %s', async (_cause, end) => {
      const source = await openSource();
      await end(source);
      expect(await stateOf(source.broadcastID)).toBe('ended');
    });
  });

  it('sends the reason of a deletion and the request ID to the worker', async () => {
    const sessionID = await bed.openSession();
    const long = await bed.request('delete', bed.path('external-sessions', sessionID), { reason: 'x'.repeat(300) });
    expect(long).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    const ended = await bed.request('delete', bed.path('external-sessions', sessionID), { reason: 'Done for today.' });
    const close = bed.sfu.commands.find(
      each => each.name === 'session.close' && each.request['sessionID'] === sessionID,
    );
    expect(close?.requestID).toBe(ended.headers['x-request-id']);
    expect(ended).toMatchObject({ status: 200, body: { externalSession: { state: 'ended', endReason: 'requested' } } });
  });
});

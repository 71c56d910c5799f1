import { DataSource } from 'typeorm';
import { MediaTestBed, reconcileMs, rtmpTarget } from '../../testing/media-test-bed.js';

describe('restreams of broadcasts', () => {
  let bed: MediaTestBed;
  let broadcastID: string;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  beforeEach(async () => {
    bed.meetingID = await bed.createRoom();
    broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
  });
  afterEach(() => bed.endRoom());
  afterAll(() => bed?.close());

  const post = (source: object) => bed.post('restreams', { ...source, target: rtmpTarget });
  const open = async (source: object = { broadcastID }): Promise<string> => {
    const { body } = await post(source);
    return (body['restream'] as { restreamID: string }).restreamID;
  };
  const openActive = async (): Promise<string> => {
    const restreamID = await open();
    await bed.transcoder.reachTarget(restreamID);
    await bed.expectState('restreams', restreamID, 'active');
    return restreamID;
  };

  it('starts on the transcoder of the broadcast', async () => {
    const other = await bed.startTranscoder('transcoder-2');
    const created = await post({ broadcastID });
    expect(created).toMatchObject({
      status: 201,
      body: { restream: { broadcastID, sourceSessionID: null, state: 'connecting' } },
    });
    const { restreamID } = created.body['restream'] as { restreamID: string };
    expect(other.restreamed).toEqual([]);
    expect(bed.transcoder.restreamed.at(-1)).toEqual({
      ...{ restreamID, meetingID: bed.meetingID, sourceID: broadcastID, sfuNodeID: 'transcoder-1', from: 'broadcast' },
      ...{ tracks: ['video', 'audio'], target: rtmpTarget, allowsPrivate: false },
    });
    await bed.advance(1_000);
    const { body } = await bed.request('get', '/v1/events?types=restream.*&pageSize=100');
    const events = body['events'] as { resource: { id: string }; data: object }[];
    expect(events.find(({ resource }) => resource.id === restreamID)?.data).toMatchObject({
      broadcastID,
      sourceSessionID: null,
    });
    await bed.lose(other);
  });

  it.each([
    ['its broadcast is ended', 'source_ended', () => bed.remove('broadcasts', broadcastID)],
    [
      'its broadcast fails',
      'source_ended',
      () => bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' }),
    ],
    ['its room ends', 'room_ended', () => bed.endRoom()],
  ])('ends when %s', async (_, endReason, end) => {
    const restreamID = await openActive();
    await end();
    expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'ended', endReason });
    expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
  });

  it('ends also when a gateway of an older version ended its broadcast', async () => {
    const restreamID = await openActive();
    await bed.gateway.app
      .get(DataSource)
      .query(`UPDATE broadcasts SET state = 'ended', ended_at = now() WHERE id = $1`, [broadcastID]);
    await bed.advance(reconcileMs);
    expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
  });

  it('stays active while the broadcast shows its slate', async () => {
    const restreamID = await openActive();
    await bed.transcoder.report(broadcastID, { type: 'broadcast.interrupted', reason: 'source_lost' });
    await bed.advance(reconcileMs);
    expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'active', lastProblem: null });
    expect(bed.transcoder.received('restream.interrupt')).toEqual([]);
  });

  it('follows its broadcast from a lost transcoder once the broadcast is active again', async () => {
    const restreamID = await openActive();
    const other = await bed.startTranscoder('transcoder-2');
    await bed.lose(bed.transcoder);
    await bed.advance(reconcileMs);
    expect(other.restreamed).toEqual([]);
    expect(await bed.get('restreams', restreamID)).toMatchObject({
      state: 'retrying',
      lastProblem: { reason: 'node_lost' },
    });
    await other.activate(broadcastID);
    await bed.settled();
    expect(other.restreamed).toEqual([
      expect.objectContaining({ restreamID, from: 'broadcast', sfuNodeID: 'transcoder-2', target: rtmpTarget }),
    ]);
    await other.reachTarget(restreamID);
    await bed.expectState('restreams', restreamID, 'active');
    await bed.lose(other);
    await bed.restart(bed.transcoder);
  });

  it('follows its broadcast from a draining transcoder, which closes its connection first', async () => {
    const restreamID = await openActive();
    const other = await bed.startTranscoder('transcoder-2');
    bed.transcoder.draining = true;
    await bed.transcoder.announce();
    await bed.settled();
    expect(bed.transcoder.restreams.has(restreamID)).toBe(true);
    await other.activate(broadcastID);
    await bed.settled();
    expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
    expect(other.restreamed).toEqual([expect.objectContaining({ restreamID, sfuNodeID: 'transcoder-2' })]);
    bed.transcoder.draining = false;
    await bed.transcoder.announce();
    await bed.endRoom();
    await bed.lose(other);
  });

  it('resumes on the same transcoder when the broadcast began again there', async () => {
    const restreamID = await openActive();
    bed.transcoder.restreams.set(restreamID, { restreamID, state: 'interrupted' });
    await bed.advance(reconcileMs);
    expect(bed.transcoder.received('restream.resume')).toEqual([
      { restreamID, sfuNodeID: 'transcoder-1', onlyIf: 'interrupted' },
    ]);
  });

  it('needs exactly one source', async () => {
    const sourceSessionID = await bed.openActiveSession();
    for (const source of [{}, { broadcastID, sourceSessionID }])
      expect(await post(source)).toMatchObject({ status: 400, body: { error: expect.stringContaining('either') } });
  });

  it('needs an active broadcast of the room', async () => {
    const starting = await bed.openBroadcast(await bed.openActiveSession());
    expect(await post({ broadcastID: starting })).toMatchObject({ status: 409, body: { reason: 'source_not_active' } });
    await bed.remove('broadcasts', starting);
    expect(await post({ broadcastID: starting })).toMatchObject({ status: 409, body: { reason: 'session_ended' } });
    expect(await post({ broadcastID: 'bcast_unknown' })).toMatchObject({ status: 404 });
  });

  it('has the limit of a session for each broadcast', async () => {
    for (let i = 0; i < 10; i++) await open();
    const refused = await post({ broadcastID });
    expect(refused).toMatchObject({ status: 403, body: { limit: { name: 'restreamsPerSession', value: 10 } } });
  });
});

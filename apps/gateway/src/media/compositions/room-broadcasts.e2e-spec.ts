import { MediaTestBed, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf } from '../recordings/testing/recordings.js';

describe('broadcasts of rooms', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(() => begin());
  afterEach(() => bed.endRoom());

  const { begin } = recordingsOf(() => bed);
  const create = (body: object) => bed.post('broadcasts', body);
  const createID = async (layout: string): Promise<string> => {
    const { body } = await create({ layout });
    return (body['broadcast'] as { broadcastID: string }).broadcastID;
  };
  const idsOf = (each: Record<string, unknown>) => (each['sources'] as { sourceID: string }[]).map(one => one.sourceID);

  it('start with a layout, in the form of the recording settings', async () => {
    await bed.request('post', '/v1/recordingsettings', { action: 'create', orientation: 'portrait', nameTags: false });
    const sessionID = await bed.openActiveSession();
    const { status, body } = await create({ layout: 'speaker' });
    expect([status, body['broadcast']]).toMatchObject([
      201,
      { layout: 'speaker', state: 'starting', sourceSessionID: null, sourceParticipantID: null },
    ]);
    const [request] = bed.transcoder.received('broadcast.start');
    expect(request).toMatchObject({
      ...{ meetingID: bed.meetingID, sourceID: bed.meetingID, tracks: ['video', 'audio'] },
      composition: { layout: 'speaker', width: 720, height: 1280, sources: [{ sourceID: sessionID }] },
    });
    expect(request?.['composition']).not.toHaveProperty('nameTagsColor');
  });

  it('are one for each layout, beside broadcasts of sources', async () => {
    await createID('grid');
    expect(await create({ layout: 'grid' })).toMatchObject({ status: 409, body: { reason: 'already_exists' } });
    expect(await create({ layout: 'speaker' })).toMatchObject({ status: 201 });
    const sourceSessionID = await bed.openActiveSession();
    const ofOne = await create({ sourceSessionID, layout: 'source' });
    expect(ofOne.body['broadcast']).toMatchObject({ layout: 'source', sourceSessionID });
  });

  it('take no source', async () => {
    const sourceSessionID = await bed.openActiveSession();
    for (const fields of [{ layout: 'grid', sourceSessionID }, { layout: 'source' }, { layout: 'single' }, {}])
      expect(await create(fields)).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
  });

  it('follow their room', async () => {
    const broadcastID = await createID('grid');
    await bed.transcoder.activate(broadcastID);
    const sessionID = await bed.openActiveSession();
    await bed.advance(sweepMs);
    const [sent] = bed.transcoder.received('broadcast.compose');
    expect(sent).toMatchObject({ broadcastID });
    expect(idsOf(sent!)).toEqual([sessionID]);
    await bed.remove('external-sessions', sessionID);
    await bed.advance(sweepMs);
    expect(bed.transcoder.received('broadcast.compose').map(idsOf)).toEqual([[sessionID], []]);
    await bed.advance(2 * reconcileMs);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });

  it('survive the death of their transcoder: another one continues them with the present room', async () => {
    const second = await bed.startTranscoder('transcoder-2');
    second.load = 50;
    await second.announce();
    await bed.settled();
    const broadcastID = await createID('grid');
    await bed.transcoder.activate(broadcastID);
    await bed.transcoder.die();
    const sessionID = await bed.openActiveSession();
    await bed.lose(bed.transcoder);
    await bed.advance(reconcileMs);
    const [request] = second.received('broadcast.start');
    expect(request).toMatchObject({ broadcastID, composition: { sources: [{ sourceID: sessionID }] } });
    // Without `formerUrl`: the dead transcoder serves no segment any more.
    expect(request?.['continues']).toEqual({ ageSeconds: expect.any(Number) as number, renditions: 1 });
    await second.activate(broadcastID);
    const { playbackUrl } = await bed.expectState('broadcasts', broadcastID, 'active');
    expect(playbackUrl).toContain('http://transcoder-2.test/');
    await bed.restart(bed.transcoder);
    await bed.lose(second);
  });

  it('are refused without a transcoder that makes them', async () => {
    bed.transcoder.composes = ['recordings'];
    await bed.transcoder.announce();
    await bed.settled();
    const refused = await create({ layout: 'grid' });
    expect(refused).toMatchObject({ status: 503, body: { reason: 'controller_unavailable' } });
    expect(String(refused.body['error'])).toContain('No transcoder makes broadcasts of whole rooms.');
    bed.transcoder.composes = ['recordings', 'broadcasts'];
    await bed.transcoder.announce();
    await bed.settled();
  });

  it('end with their room', async () => {
    const broadcastID = await createID('grid');
    await bed.endRoom();
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'room_ended' });
    expect(bed.transcoder.received('broadcast.stop')).toEqual([{ broadcastID }]);
  });
});

/** @seconds 9 */
import { ServiceError } from '@rtms/contracts';
import { MediaTestBed, meteringLookMs, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf } from '../recordings/testing/recordings.js';

interface SentRoom {
  sources: { sourceID: string; view: string; tracks: string[]; name: string; isHost: boolean; sfuNodeID: string }[];
  speakerID?: string;
}

describe('recordings of rooms', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(() => begin());
  afterEach(() => bed.endRoom());

  const { begin, query, post, read, list, start, expectState, finish } = recordingsOf(() => bed);

  /** The recording of the room writes media. */
  const recordRoom = async (fields = {}): Promise<string> => {
    const { recordingID } = await start(fields);
    await bed.transcoder.record(recordingID);
    return recordingID;
  };
  const started = (node = bed.transcoder) =>
    node.received('recording.start').map(each => each['composition'] as SentRoom);
  const composed = (node = bed.transcoder) => node.received('recording.compose') as unknown as SentRoom[];
  /** For example `part_1 camera audio`. */
  const lines = (room: SentRoom | undefined) =>
    room?.sources.map(({ sourceID, view, tracks }) => `${sourceID} ${view} ${tracks.join()}`);
  /** A member who publishes. */
  const publish = async (name: string, ...sources: string[]) => {
    const { participantID, socket } = await bed.connectMember(name);
    await socket.must('media.open', {});
    const { transportID } = await socket.must('media.openTransport', { direction: 'send' });
    const tracks: Record<string, string> = {};
    for (const source of sources) {
      const { trackID } = await socket.must('media.publish', {
        transportID,
        source: source as 'camera',
        rtpParameters: {},
      });
      tracks[source] = trackID;
    }
    return { participantID, socket, tracks };
  };

  it('start with the room alone, in the form of the recording settings', async () => {
    const settings = { orientation: 'portrait', videoType: 'all', audioOptions: 'host', backgroundColor: '#102030' };
    await bed.request('post', '/v1/recordingsettings', { action: 'create', ...settings, nameTagsColor: '#ffee00' });
    const sessionID = await bed.openActiveSession();
    const recording = await start({});
    const { recordingID } = recording;
    expect(recording).toMatchObject({
      state: 'starting',
      layout: 'grid',
      source: { sessionID: null, participantID: null },
    });
    expect(bed.transcoder.received('recording.start')).toEqual([
      {
        ...{
          recordingID,
          meetingID: bed.meetingID,
          sourceID: bed.meetingID,
          sfuNodeID: 'sfu-1',
          tracks: ['video', 'audio'],
        },
        ...{ maxDurationSeconds: 86_400, maxSource: expect.anything() },
        composition: {
          ...{ layout: 'grid', width: 720, height: 1280, fit: 'contain', hasEmptyTiles: true, audio: 'host' },
          ...{ backgroundColor: '#102030', nameTagsColor: '#ffee00' },
          sources: [
            {
              ...{ sourceID: sessionID, view: 'camera', sfuNodeID: 'sfu-1', tracks: ['video', 'audio'] },
              trackIDs: [expect.any(String), expect.any(String)],
              ...{ name: 'Camera', isHost: false },
            },
          ],
        },
      },
    ]);
    await bed.transcoder.record(recordingID);
    await expectState(recordingID, 'recording');
    expect(await finish(recordingID)).toMatchObject({ layout: 'grid', endReason: 'requested' });
  });

  it('take a layout, which a recording of one source refuses', async () => {
    expect(await start({ layout: 'speaker' })).toMatchObject({ layout: 'speaker' });
    const both = { sourceSessionID: await bed.openActiveSession(), layout: 'grid' };
    const refused = await post({ action: 'start', meetingID: bed.meetingID, ...both });
    expect(refused).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    const unknown = await post({ action: 'start', meetingID: bed.meetingID, layout: 'mosaic' });
    expect(unknown).toMatchObject({ status: 400, body: { error: 'layout must be one of: grid, speaker, single.' } });
  });

  it('are limited to one at a time for each room', async () => {
    const recordingID = await recordRoom();
    const again = await post({ action: 'start', meetingID: bed.meetingID });
    expect(again).toMatchObject({ status: 409, body: { reason: 'already_exists' } });
    const sourceSessionID = await bed.openActiveSession();
    expect(await start({ sourceSessionID })).toMatchObject({ layout: null });
    await finish(recordingID);
    expect(await start({})).toMatchObject({ state: 'starting' });
  });

  it('follow the members and external sessions of their room', async () => {
    await recordRoom();
    expect(lines(started()[0])).toEqual([]);
    const sessionID = await bed.openActiveSession(['video']);
    await bed.advance(sweepMs);
    const grace = await publish('Grace', 'camera', 'microphone');
    const me = grace.participantID;
    await bed.advance(sweepMs);
    expect(composed().map(lines)).toEqual([
      [`${sessionID} camera video`],
      [`${sessionID} camera video`, `${me} camera video,audio`],
    ]);
    expect(composed()[1]?.sources[1]).toMatchObject({ name: 'Grace', isHost: false, sfuNodeID: 'sfu-1' });
    await grace.socket.must('media.pauseTrack', { trackID: grace.tracks['camera'] ?? '' });
    await bed.advance(sweepMs);
    expect(lines(composed().at(-1))).toEqual([`${sessionID} camera video`, `${me} camera audio`]);
    await bed.sfu.loseSource(sessionID);
    await bed.advance(sweepMs);
    expect(lines(composed().at(-1))).toEqual([`${me} camera audio`]);
    await grace.socket.must('leave', {});
    await bed.advance(sweepMs);
    expect(lines(composed().at(-1))).toEqual([]);
    const sent = composed().length;
    await bed.advance(3 * sweepMs);
    expect(composed()).toHaveLength(sent);
  });

  it('name the speaker, and combine the changes of a second', async () => {
    const ada = await publish('Ada', 'microphone');
    const bob = await publish('Bob', 'microphone');
    await recordRoom();
    const speak = (participantID: string | undefined) =>
      bed.sfu.tell({ type: 'speaker.changed', meetingID: bed.meetingID, participantID });
    speak(ada.participantID);
    speak(bob.participantID);
    await bed.advance(sweepMs);
    expect(composed().map(({ speakerID }) => speakerID)).toEqual([bob.participantID]);
    speak(undefined);
    await bed.advance(sweepMs);
    expect(composed().at(-1)).not.toHaveProperty('speakerID');
  });

  it('repeat a room that their transcoder did not take', async () => {
    await recordRoom();
    bed.transcoder.refusals.set('recording.compose', new ServiceError('internal_error', 'Out of order.'));
    await bed.openActiveSession();
    await bed.advance(sweepMs);
    bed.transcoder.refusals.clear();
    await bed.advance(sweepMs);
    expect(composed()).toHaveLength(2);
    expect(composed()[0]).toEqual(composed()[1]);
    await bed.advance(sweepMs);
    expect(composed()).toHaveLength(2);
  });

  it('are sent by one of two gateways, which agree about the speaker', async () => {
    const replica = await bed.startReplica();
    const ada = await publish('Ada', 'microphone');
    await recordRoom();
    bed.sfu.tell({ type: 'speaker.changed', meetingID: bed.meetingID, participantID: ada.participantID });
    await bed.advance(4 * sweepMs);
    expect(composed().map(({ speakerID }) => speakerID)).toEqual([ada.participantID]);
    await replica.stop();
  });

  it('start by themselves in rooms with recordOnStart, once, at the first media', async () => {
    await bed.request('post', '/v1/recordingsettings', {
      action: 'create',
      maxDurationSeconds: 120,
      videoOptions: 'mainScreen',
    });
    bed.meetingID = await bed.createRoom({ recordOnStart: true });
    await bed.advance(sweepMs);
    expect(await list()).toEqual([]);
    const { participantID } = await publish('Ada', 'microphone');
    await bed.advance(sweepMs);
    const [recording] = await list();
    expect(recording).toMatchObject({ layout: 'single', source: { sessionID: null, participantID: null } });
    expect(lines(started()[0])).toEqual([`${participantID} camera audio`]);
    expect(bed.transcoder.received('recording.start')).toMatchObject([{ maxDurationSeconds: 120 }]);
    await bed.openActiveSession();
    await bed.advance(sweepMs);
    expect(await list()).toHaveLength(1);
    const { recordingID } = recording!;
    await bed.transcoder.record(recordingID);
    await finish(recordingID);
    await post({ action: 'delete', recordingID });
    await bed.advance(2 * sweepMs);
    expect(await list()).toEqual([]);
  });

  it('do not begin without a transcoder, and leave no events', async () => {
    bed.transcoder.composes = undefined;
    await bed.transcoder.announce();
    await bed.settled();
    bed.meetingID = await bed.createRoom({ recordOnStart: true });
    await publish('Ada', 'microphone');
    await bed.advance(3 * sweepMs);
    const { body } = await bed.request('get', `/v1/events?meetingID=${bed.meetingID}&types=recording.*`);
    expect(body['events']).toEqual([]);
    bed.transcoder.composes = ['recordings', 'broadcasts'];
    await bed.transcoder.announce();
    await bed.settled();
    await bed.advance(sweepMs);
    expect(await list()).toHaveLength(1);
  });

  it('ask full transcoders once in a sweep, and more and more rarely', async () => {
    bed.transcoder.refusals.set('recording.start', new ServiceError('capacity_reached', 'The disk is full.'));
    const rooms: string[] = [];
    for (const name of ['Ada', 'Bob']) {
      bed.meetingID = await bed.createRoom({ recordOnStart: true });
      rooms.push(bed.meetingID);
      await publish(name, 'microphone');
    }
    await bed.settled();
    const before = started().length;
    await bed.advance(sweepMs);
    expect(started().length - before).toBe(1);
    // After one second, and after two more.
    await bed.advance(6 * sweepMs);
    expect(started().length - before).toBe(3);
    bed.transcoder.refusals.clear();
    await bed.advance(sweepMs);
    expect(await list()).toHaveLength(2);
    for (bed.meetingID of rooms) await bed.endRoom();
  });

  it('continue without sources, up to the allowed number of pauses', async () => {
    await bed.request('post', '/v1/recordingsettings', { action: 'create', pausesLimit: 1 });
    const recordingID = await recordRoom();
    const comeAndGo = async () => {
      const sessionID = await bed.openActiveSession();
      await bed.advance(sweepMs);
      await bed.remove('external-sessions', sessionID);
      await bed.advance(sweepMs);
    };
    await comeAndGo();
    await expectState(recordingID, 'recording');
    await comeAndGo();
    expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'pauses_exceeded' });
    expect(bed.transcoder.received('recording.stop')).toEqual([{ recordingID }]);
  });

  it('are left alone by the reconciler', async () => {
    const recordingID = await recordRoom();
    await bed.advance(2 * reconcileMs);
    await expectState(recordingID, 'recording');
    expect(bed.transcoder.received('recording.interrupt')).toEqual([]);
  });

  it('end with their room, after its broadcasts', async () => {
    const recordingID = await recordRoom();
    await bed.openActiveBroadcast(await bed.openActiveSession());
    bed.transcoder.commands.length = 0;
    await bed.endRoom();
    expect(await read(recordingID)).toMatchObject({ state: 'processing', endReason: 'room_ended' });
    const ends = bed.transcoder.commands.map(({ name }) => name).filter(name => name.endsWith('.stop'));
    expect(ends).toEqual(['broadcast.stop', 'recording.stop']);
    const late = await post({ action: 'start', meetingID: bed.meetingID });
    expect(late).toMatchObject({ status: 409, body: { reason: 'room_ended' } });
  });

  it('use up recording minutes', async () => {
    const recordingID = await recordRoom();
    await query('UPDATE balances SET recording_ms = 1 WHERE account_id = $1', [bed.account.accountID]);
    await bed.advance(meteringLookMs);
    expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'balance_exhausted' });
  });

  it('record only sound by the setting', async () => {
    await bed.request('post', '/v1/recordingsettings', { action: 'create', mediaOptions: 'audio' });
    const sessionID = await bed.openActiveSession();
    await start({});
    expect(bed.transcoder.received('recording.start')).toMatchObject([{ tracks: ['audio'] }]);
    expect(lines(started()[0])).toEqual([`${sessionID} camera audio`]);
  });

  it('appear with their layout in events and logs', async () => {
    const recordingID = await recordRoom();
    await finish(recordingID);
    await bed.advance(sweepMs);
    const events = await bed.request('get', `/v1/events?meetingID=${bed.meetingID}&types=recording.ready`);
    expect(events.body['events']).toMatchObject([{ data: { recordingID, layout: 'grid' } }]);
    const logs = await bed.request('get', `/v1/room/logs?meetingID=${bed.meetingID}&kind=recording`);
    expect(logs.body).toMatchObject([{ layout: 'grid' }]);
  });

  describe('on several transcoders', () => {
    it('continue at another one after the loss of theirs', async () => {
      const second = await bed.startTranscoder('transcoder-2');
      second.load = 50;
      await second.announce();
      await bed.settled();
      const recordingID = await recordRoom();
      expect(bed.transcoder.received('recording.start')).toHaveLength(1);
      await bed.lose(bed.transcoder);
      await bed.advance(2 * sweepMs);
      const [request] = second.received('recording.start');
      expect(request).toMatchObject({ composition: { layout: 'grid', sources: [] } });
      const next = await read(String(request?.['recordingID']));
      expect(next).toMatchObject({ previousRecordingID: recordingID, layout: 'grid' });
      await bed.restart(bed.transcoder);
      await bed.lose(second);
    });

    it('take only one that composes', async () => {
      bed.transcoder.composes = undefined;
      await bed.transcoder.announce();
      await bed.settled();
      const refused = await post({ action: 'start', meetingID: bed.meetingID });
      expect(refused).toMatchObject({ status: 503, body: { reason: 'controller_unavailable' } });
      expect(String(refused.body['error'])).toContain('No transcoder makes recordings of whole rooms.');
      expect(await list()).toEqual([]);
      bed.transcoder.composes = ['recordings'];
      await bed.transcoder.announce();
      await bed.settled();
      expect(await start({})).toMatchObject({ state: 'starting' });
    });
  });
});

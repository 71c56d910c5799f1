import type { TrackSource } from '@rtms/contracts';
import { graceMs, MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';
import type { RoomClient } from '../../testing/room-client.js';

describe('a broadcast of a member', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());

  const connect = async () => {
    return { ...(await bed.connectMember('Grace')), transportID: '' };
  };
  const publish = async (member: { socket: RoomClient; transportID: string }, source: TrackSource) => {
    if (member.transportID === '') {
      await member.socket.must('media.open', {});
      member.transportID = (await member.socket.must('media.openTransport', { direction: 'send' })).transportID;
    }
    const { transportID } = member;
    const { trackID } = await member.socket.must('media.publish', { transportID, source, rtpParameters: {} });
    await bed.settled();
    return trackID;
  };
  const broadcastOf = async (sourceParticipantID: string): Promise<string> => {
    const { body } = await bed.post('broadcasts', { sourceParticipantID });
    return (body['broadcast'] as { broadcastID: string }).broadcastID;
  };
  const activeBroadcastOf = async (participantID: string) => {
    const broadcastID = await broadcastOf(participantID);
    await bed.transcoder.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
    return broadcastID;
  };
  const commanded = (command: string, broadcastID: string) =>
    bed.transcoder.received(command).filter(each => each['broadcastID'] === broadcastID);

  it('uses the camera and the microphone, and keeps a place for audio', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const answer = await bed.post('broadcasts', { sourceParticipantID: member.participantID });
    expect(answer).toMatchObject({
      status: 201,
      body: { broadcast: { sourceParticipantID: member.participantID, sourceSessionID: null, state: 'starting' } },
    });
    const { broadcastID } = answer.body['broadcast'] as { broadcastID: string };
    expect(commanded('broadcast.start', broadcastID)).toMatchObject([
      { sourceID: member.participantID, sfuNodeID: 'sfu-1', tracks: ['video', 'audio'] },
    ]);
    await bed.transcoder.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });

  it('lets viewers seek back up to four hours', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const { participantID: sourceParticipantID } = member;
    for (const dvrSeconds of [-1, 14_401, 1.5, '60']) {
      const { status, body } = await bed.post('broadcasts', { sourceParticipantID, dvrSeconds });
      expect([status, body['error']]).toEqual([
        400,
        expect.stringContaining('dvrSeconds must be a whole number of seconds from 0 to 14400.'),
      ]);
    }
    const { status, body } = await bed.post('broadcasts', { sourceParticipantID, dvrSeconds: 14_400 });
    expect(status).toBe(201);
    const { broadcastID, ...broadcast } = body['broadcast'] as { broadcastID: string };
    expect(broadcast).toMatchObject({ dvrSeconds: 14_400 });
    expect(commanded('broadcast.start', broadcastID)).toMatchObject([
      { dvrSeconds: 14_400, accountID: expect.any(String) },
    ]);
    const without = await bed.post('broadcasts', { sourceParticipantID });
    expect(without).toMatchObject({ status: 201, body: { broadcast: { dvrSeconds: 0 } } });
  });

  it('asks the transcoder for low latency only on request', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const { participantID: sourceParticipantID } = member;
    const wrong = await bed.post('broadcasts', { sourceParticipantID, latency: 'lowest' });
    expect([wrong.status, wrong.body['error']]).toEqual([400, expect.stringContaining('latency')]);
    for (const latency of ['low', 'normal', undefined] as const) {
      const { status, body } = await bed.post('broadcasts', { sourceParticipantID, latency });
      expect(status).toBe(201);
      const { broadcastID, ...broadcast } = body['broadcast'] as { broadcastID: string };
      expect(broadcast).toMatchObject({ latency: latency ?? 'normal' });
      const [command] = commanded('broadcast.start', broadcastID) as { latency?: string; accountID?: string }[];
      expect([command?.latency, typeof command?.accountID]).toEqual(
        latency === 'low' ? ['low', 'string'] : [undefined, 'string'],
      );
    }
  });

  it('is refused without exactly one source', async () => {
    for (const body of [{}, { sourceSessionID: 'ext_x', sourceParticipantID: 'part_x' }, { sourceSessionID: null }])
      expect(await bed.post('broadcasts', body)).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', error: expect.stringMatching(/either sourceSessionID or sourceParticipantID/) },
      });
  });

  it('is refused for a member who is absent, has left, or sends no video', async () => {
    const reasonOf = async (sourceParticipantID: string) => {
      const { status, body } = await bed.post('broadcasts', { sourceParticipantID });
      return [status, body.reason];
    };
    expect(await reasonOf('part_none')).toEqual([404, 'not_found']);
    const member = await connect();
    expect(await reasonOf(member.participantID)).toEqual([409, 'source_has_no_video']);
    await publish(member, 'microphone');
    expect(await reasonOf(member.participantID)).toEqual([409, 'source_has_no_video']);
    await publish(member, 'screen');
    const { meetingID } = bed;
    bed.meetingID = await bed.createRoom();
    expect(await reasonOf(member.participantID)).toEqual([404, 'not_found']);
    bed.meetingID = meetingID;
    await member.socket.must('leave', {});
    expect(await reasonOf(member.participantID)).toEqual([409, 'source_not_active']);
  });

  it('is interrupted while the member sends no video, and resumes with the next video', async () => {
    const member = await connect();
    const camera = await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await member.socket.must('media.closeTrack', { trackID: camera });
    await bed.advance(sweepMs);
    await bed.expectState('broadcasts', broadcastID, 'interrupted');
    expect(commanded('broadcast.interrupt', broadcastID)).toHaveLength(1);
    await publish(member, 'screen');
    await bed.advance(sweepMs);
    expect(commanded('broadcast.resume', broadcastID)).toMatchObject([{ sfuNodeID: 'sfu-1' }]);
    await bed.transcoder.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });

  it('switches from screen to camera, and adds a microphone that is published later', async () => {
    const member = await connect();
    await publish(member, 'screen');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await publish(member, 'camera');
    await bed.advance(sweepMs);
    expect(commanded('broadcast.resume', broadcastID)).toHaveLength(1);
    await publish(member, 'microphone');
    await bed.advance(sweepMs);
    expect(commanded('broadcast.resume', broadcastID)).toHaveLength(2);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
  });

  it('continues while the camera is paused', async () => {
    const member = await connect();
    const trackID = await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await member.socket.must('media.pauseTrack', { trackID });
    await publish(member, 'microphone');
    await bed.advance(sweepMs);
    expect(commanded('broadcast.resume', broadcastID)).toHaveLength(1);
    expect(commanded('broadcast.interrupt', broadcastID)).toEqual([]);
  });

  it('ends when the member leaves', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await member.socket.must('leave', {});
    await bed.advance(sweepMs);
    expect(await bed.expectState('broadcasts', broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
    expect(commanded('broadcast.stop', broadcastID)).toHaveLength(1);
  });

  it('ends when a lost member does not reconnect in time', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    const host = await bed.connectMember('Ada');
    member.socket.close();
    await host.socket.next('participant.changed', ({ participant }) => !participant.isConnected);
    await bed.advance(graceMs - 1);
    await bed.expectState('broadcasts', broadcastID, 'active');
    await bed.advance(2 * sweepMs);
    expect(await bed.expectState('broadcasts', broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
  });

  it('ends with its room', async () => {
    const meetingID = bed.meetingID;
    bed.meetingID = await bed.createRoom();
    const member = await connect();
    await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await bed.endRoom();
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'room_ended' });
    bed.meetingID = meetingID;
  });

  it('moves to another transcoder when its own is lost', async () => {
    const member = await connect();
    await publish(member, 'camera');
    const broadcastID = await activeBroadcastOf(member.participantID);
    await bed.restart(bed.transcoder);
    expect(commanded('broadcast.start', broadcastID)).toHaveLength(2);
    await bed.transcoder.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });
});

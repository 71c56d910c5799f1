import { healthCodes } from '@rtms/contracts';
import { RoomClient } from '../../testing/room-client.js';
import { RoomTestBed } from '../../testing/room-test-bed.js';

describe('an external session as a participant', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  const path = (meetingID: string, sessionID: string, route: string): string =>
    `/v1/meetings/${meetingID}/external-sessions/${sessionID}/${route}`;
  const act = async (
    meetingID: string,
    sessionID: string,
    body: object,
  ): Promise<[number, Record<string, unknown>]> => {
    const request = bed.other.http.post(path(meetingID, sessionID, 'participant-actions'));
    const answer = await request.set('Authorization', bed.account.authorization).send(body);
    return [answer.status, answer.body as Record<string, unknown>];
  };
  const stateOf = async (meetingID: string, sessionID: string): Promise<Record<string, unknown>> => {
    const request = bed.one.http.get(path(meetingID, sessionID, 'participant-state'));
    const { body } = await request.set('Authorization', bed.account.authorization).expect(200);
    return (body as { participantState: Record<string, unknown> }).participantState;
  };
  const openActive = async () => {
    const { meetingID, host } = await bed.openRoom();
    const sessionID = await bed.openSession(meetingID);
    await bed.sfu.activate(sessionID);
    const { participant } = await host.next(
      'participant.joined',
      event => event.participant.kind === 'externalSession',
    );
    return { meetingID, host, sessionID, participantID: participant.participantID };
  };

  it('votes, chats and sends requests as itself', async () => {
    const { meetingID, host, sessionID, participantID } = await openActive();
    const { pollID } = await host.must('poll.create', { question: 'Tea?', options: ['yes', 'no'] });
    expect(await act(meetingID, sessionID, { action: 'poll.vote', pollID, choice: 1 })).toEqual([
      200,
      { success: true, outcome: { action: 'poll.vote', status: 'accepted' } },
    ]);
    expect((await host.next('poll.voted')).results).toEqual([0, 1]);
    const [status, { outcome }] = await act(meetingID, sessionID, { action: 'chat.send', message: 'Hello' });
    expect([status, outcome]).toMatchObject([200, { action: 'chat.send', messageID: expect.stringMatching(/^msg_/) }]);
    expect((await host.next('chat.message')).message).toMatchObject({ senderID: participantID, senderName: 'Camera' });
    await act(meetingID, sessionID, { action: 'participant.request', request: 'raiseHand' });
    await host.next('participant.changed', ({ participant }) => participant.requests.includes('raiseHand'));
  });

  it('shows its media, chat, polls and assignments', async () => {
    const { meetingID, host, sessionID, participantID } = await openActive();
    await host.must('breakout.assign', { participantID, breakout: 'Room 2' });
    await host.must('whiteboard.assign', { participantID, whiteboard: 'draw' });
    await host.must('chat.send', { message: 'for you', recipientID: participantID });
    await host.must('poll.create', { question: 'Tea?', options: ['yes', 'no'] });
    expect(await stateOf(meetingID, sessionID)).toMatchObject({
      sessionID,
      participantID,
      state: 'active',
      media: { isConnected: true, tracks: [{ source: 'camera' }, { source: 'microphone' }], health: [] },
      chat: [{ message: 'for you', recipientID: participantID }],
      polls: [{ question: 'Tea?', results: null }],
      breakout: 'Room 2',
      whiteboard: 'draw',
    });
  });

  it('shows every health code to members and in the API', async () => {
    const { meetingID, host, sessionID, participantID } = await openActive();
    const shown = async (): Promise<unknown> => {
      const request = bed.other.http.get(`/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
      const { body } = await request.set('Authorization', bed.account.authorization).expect(200);
      return (body as { externalSession: { health: unknown } }).externalSession.health;
    };
    for (const health of [[...healthCodes], [healthCodes[0]], []]) {
      await bed.sfu.report(sessionID, { type: 'external_session.health', health });
      const { participant } = await host.next(
        'participant.changed',
        event => event.participant.health.join() === health.join(),
      );
      expect([participant.participantID, participant.kind]).toEqual([participantID, 'externalSession']);
      expect(await shown()).toEqual(health);
      expect(await stateOf(meetingID, sessionID)).toMatchObject({ media: { health } });
    }
  });

  it.each(['senderID', 'participantID', 'userName', 'from', 'sender'])(
    'ignores the field %s of the caller',
    async field => {
      const { meetingID, sessionID } = await openActive();
      const [status, body] = await act(meetingID, sessionID, { action: 'chat.send', message: 'Hi', [field]: 'part_x' });
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
    },
  );

  it('refuses actions before it is active and after its end', async () => {
    const { meetingID } = await bed.openRoom();
    const sessionID = await bed.openSession(meetingID);
    const hello = { action: 'chat.send', message: 'Hi' };
    expect(await act(meetingID, sessionID, hello)).toMatchObject([409, { reason: 'source_not_active' }]);
    const request = bed.one.http.delete(`/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
    await request.set('Authorization', bed.account.authorization).expect(200);
    expect(await act(meetingID, sessionID, hello)).toMatchObject([409, { reason: 'session_ended' }]);
    expect(await act(meetingID, sessionID, { action: 'leave' })).toMatchObject([400, { reason: 'unknown_action' }]);
  });

  describe('with a service-webrtc publisher', () => {
    const openPublisher = async () => {
      const { meetingID, host } = await bed.openRoom();
      const body = { displayName: 'Booth', ingest: { protocol: 'service-webrtc', tracks: ['video', 'audio'] } };
      const answer = await bed.post(`/v1/meetings/${meetingID}/external-sessions`, body);
      const { externalSession: session } = answer as unknown as {
        externalSession: { sessionID: string; participantID: string; ingest: { join: { token: string } } };
      };
      return { meetingID, host, session, publisher: await bed.connect(bed.other, session.ingest.join.token) };
    };

    it('gets a join ticket instead of an address and a token', async () => {
      const { meetingID } = await bed.createRoom();
      const body = { displayName: 'Booth', ingest: { protocol: 'service-webrtc', tracks: ['video'] } };
      const answer = await bed.post(`/v1/meetings/${meetingID}/external-sessions`, body);
      const { ingest } = (answer as unknown as { externalSession: { ingest: object } }).externalSession;
      expect(ingest).toEqual({
        protocol: 'service-webrtc',
        tracks: ['video'],
        join: { url: 'ws://gateway.test/v1/socket', token: expect.any(String), expiresAt: expect.any(String) },
      });
    });

    it('publishes as the session, and the roster shows its tracks after the report of the node', async () => {
      const { host, session, publisher } = await openPublisher();
      expect(publisher.welcome).toMatchObject({ participantID: session.participantID, snapshot: { roster: [] } });
      await publisher.must('media.open', {});
      const { transportID } = await publisher.must('media.openTransport', { direction: 'send' });
      await publisher.must('media.publish', { transportID, source: 'camera', rtpParameters: {} });
      expect(bed.sfu.received('track.publish').at(-1)).toMatchObject({ participantID: session.sessionID });
      await bed.sfu.activate(session.sessionID);
      const { participant } = await host.next('participant.joined', event => event.participant.userName === 'Booth');
      expect(participant.participantID).toBe(session.participantID);
      await publisher.next('participant.joined');
    });

    it('may only publish, and sees no other participant', async () => {
      const { host, session, publisher } = await openPublisher();
      for (const answer of [
        await publisher.send('chat.send', { message: 'Hi' }),
        await publisher.send('media.openTransport', { direction: 'receive' }),
        await publisher.send('media.publish', { transportID: 't', source: 'screen', rtpParameters: {} }),
        await publisher.send('participant.remove', { participantID: host.id }),
      ])
        expect(answer).toMatchObject({ success: false, reason: 'not_permitted' });
      await host.must('chat.send', { message: 'secret' });
      await bed.sfu.activate(session.sessionID);
      await publisher.next('participant.joined');
      expect(publisher.events.map(event => event.type)).toEqual(['participant.joined']);
    });

    it('ends the session when it leaves', async () => {
      const { meetingID, session, publisher } = await openPublisher();
      await publisher.must('leave', {});
      const request = bed.one.http.get(`/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
      const { body } = await request.set('Authorization', bed.account.authorization).expect(200);
      expect(body).toMatchObject({ externalSession: { state: 'ended', endReason: 'publisher_left' } });
      expect(await publisher.farewell()).toBe('publisher_left');
    });

    it('closes the connection with the session', async () => {
      const { meetingID, session, publisher } = await openPublisher();
      const request = bed.one.http.delete(`/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
      await request.set('Authorization', bed.account.authorization).expect(200);
      expect(await publisher.farewell()).toBe('requested');
      const { token } = session.ingest.join;
      expect((await RoomClient.refusal(bed.one.url, { token })).reason).toBe('session_ended');
    });
  });
});

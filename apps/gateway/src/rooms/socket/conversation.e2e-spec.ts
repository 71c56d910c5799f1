import { RoomTestBed } from '../../testing/room-test-bed.js';

describe('the conversation in a room', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  it('delivers a direct message only to its two participants, also later and in the logs', async () => {
    const { meetingID, host } = await bed.openRoom();
    const { token } = await bed.ticket(meetingID);
    const guest = await bed.connect(bed.other, token);
    const other = await bed.join(bed.one, meetingID);
    await host.must('chat.send', { message: 'psst', recipientID: guest.id });
    await host.must('chat.send', { message: 'all' });
    for (const each of [host, guest, other])
      await each.next('chat.message', ({ message }) => message.message === 'all');
    expect([host, guest, other].map(each => each.all('chat.message').length)).toEqual([2, 2, 1]);
    guest.close();
    const [again, late] = [await bed.connect(bed.one, token), await bed.join(bed.other, meetingID)];
    expect([again, late].map(each => each.welcome.snapshot?.chat.map(({ message }) => message))).toEqual([
      ['psst', 'all'],
      ['all'],
    ]);
    const logs = bed.one.http.get('/v1/room/logs').query({ kind: 'message', meetingID });
    const { body } = await logs.set('Authorization', bed.account.authorization).expect(200);
    expect((body as { message: string }[]).map(({ message }) => message)).toEqual(['all', 'psst']);
  });

  it('has no chat when the settings disallow it, except for hosts', async () => {
    const { meetingID, host } = await bed.openRoom({}, { chatSetting: 'disallow' });
    const guest = await bed.join(bed.other, meetingID);
    expect(await guest.send('chat.send', { message: 'x' })).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'not_permitted',
    });
    expect(await host.send('chat.send', { message: 'x' })).toMatchObject({ success: true });
  });

  it('shows poll results only to hosts until the poll ends', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    const { pollID } = await host.must('poll.create', { question: 'Tea?', options: ['yes', 'no'] });
    expect((await guest.next('poll.created')).poll).toMatchObject({ state: 'open', results: null });
    await guest.must('poll.vote', { pollID, choice: 0 });
    expect(await guest.send('poll.vote', { pollID, choice: 1 })).toMatchObject({ reason: 'already_voted' });
    expect(await host.send('poll.vote', { pollID, choice: 2 })).toMatchObject({ reason: 'invalid_request' });
    expect((await host.next('poll.voted')).results).toEqual([1, 0]);
    expect((await guest.next('poll.voted')).results).toBeNull();
    const late = await bed.join(bed.one, meetingID);
    expect(late.welcome.snapshot?.polls).toMatchObject([{ pollID, results: null }]);
    expect(await host.must('poll.end', { pollID })).toMatchObject({ results: [1, 0] });
    expect((await guest.next('poll.ended')).poll).toMatchObject({ state: 'ended', results: [1, 0] });
    expect(await late.send('poll.vote', { pollID, choice: 1 })).toMatchObject({ reason: 'poll_ended' });
  });

  it('lets a viewer of a webinar raise a hand, be admitted, and publish', async () => {
    const { meetingID, host } = await bed.openRoom({ eventType: 'webinar' });
    const viewer = await bed.join(bed.other, meetingID, 'viewer');
    expect(await viewer.must('participant.request', { request: 'audio' })).toMatchObject({ status: 'rejected' });
    expect(await viewer.must('participant.request', { request: 'raiseHand' })).toMatchObject({ status: 'accepted' });
    await host.next('participant.changed', ({ participant }) => participant.requests.includes('raiseHand'));
    await host.must('participant.admit', { participantID: viewer.id });
    const { participant } = await viewer.next('participant.changed', event => event.participant.role === 'participant');
    expect(participant).toMatchObject({ requests: [], mayPublish: ['microphone', 'camera', 'screen', 'screenAudio'] });
  });

  it('withdraws a request', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await guest.must('participant.request', { request: 'raiseHand' });
    await guest.must('participant.request', { request: 'raiseHand', active: false });
    await host.quiet();
    expect(host.all('participant.changed').map(({ participant }) => participant.requests)).toEqual([['raiseHand'], []]);
  });
});

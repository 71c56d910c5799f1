import { RoomTestBed } from '../../testing/room-test-bed.js';

describe('the room socket with two replicas', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  it('sends the roster to a new member, and tells the others through the other replica', async () => {
    const { meetingID, host } = await bed.openRoom();
    expect(host.welcome.snapshot?.roster.map(entry => entry.userName)).toEqual(['Ada']);
    const guest = await bed.join(bed.other, meetingID);
    expect(guest.welcome.snapshot?.roster.map(entry => entry.userName)).toEqual(['Ada', 'Grace']);
    const { participant } = await host.next('participant.joined', event => event.participant.userName === 'Grace');
    expect(participant).toMatchObject({ participantID: guest.id, role: 'participant', isConnected: true });
    expect(await bed.room(meetingID)).toMatchObject({ participantCount: 2 });
  });

  it('delivers chat in one order to members on both replicas', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        [host, guest].map(who => who.must('chat.send', { message: `${index}` })),
      ).flat(),
    );
    await Promise.all([host, guest].map(who => who.next('chat.message', () => who.all('chat.message').length >= 20)));
    const heard = [host, guest].map(who => who.all('chat.message').map(({ message, sequence }) => [sequence, message]));
    expect(heard[0]).toEqual(heard[1]);
  });
});

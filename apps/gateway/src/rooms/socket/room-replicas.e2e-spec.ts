import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { RoomTestBed } from '../../testing/room-test-bed.js';

/** Long after the test, so that no sweep does the work of the bus. */
const never = { sweepSeconds: 3_600 };

describe('a room on two replicas', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start(never);
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  it('shows the events of one replica to members at the other', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await host.next('participant.joined');
    await guest.must('chat.send', { message: 'from the other' });
    await host.next('chat.message');
    await host.must('chat.send', { message: 'from the one' });
    await guest.next('chat.message', ({ message }) => message.message === 'from the one');
    await bed.post('/v1/rooms', { action: 'end', meetingID });
    expect(await guest.farewell()).toBe('requested');
  });

  it('ends the former connection of a participant at the other replica', async () => {
    const { meetingID } = await bed.openRoom();
    const { token } = await bed.ticket(meetingID);
    const former = await bed.connect(bed.one, token);
    await bed.connect(bed.other, token);
    expect(await former.farewell()).toBe('replaced');
  });

  it('keeps the newest connection when the announcement of the former comes late', async () => {
    const { meetingID, host } = await bed.openRoom();
    const { token } = await bed.ticket(meetingID);
    const former = await bed.connect(bed.one, token);
    const late = { kind: 'connection', id: former.socket.id!, accountID: null, participantID: former.id } as const;
    const latter = await bed.connect(bed.other, token);
    expect(await former.farewell()).toBe('replaced');
    bed.other.app.get(DomainEvents).emit('resources.changed', [late], 'elsewhere');
    await latter.must('chat.send', { message: 'still here' });
    await host.next('chat.message', ({ message }) => message.message === 'still here');
    await latter.must('chat.send', { message: 'and here' });
  });
});

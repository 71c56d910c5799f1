import { EventEmitter } from 'node:events';
import { ManualClock } from '@rtms/testing';
import { MemberSocket, type CommandPerformer } from './member-socket.js';
import type { RoomSocket } from './room-io.js';

/** A socket that records its messages and passes on a client's messages. */
class FakeSocket {
  readonly data = { actor: { meetingID: 'room_1', participantID: 'part_1' }, sequence: 0 };
  readonly given: unknown[] = [];
  private readonly client = new EventEmitter();

  on(name: string, listener: (...args: unknown[]) => void): void {
    this.client.on(name, listener);
  }

  onAny(): void {
    // Tests send only commands.
  }

  emit(name: string, content: object): void {
    this.given.push({ name, ...content });
  }

  disconnect(): void {
    this.given.push('disconnected');
  }

  send(name: string): void {
    const answer = (content: object): unknown => this.given.push({ name: 'answer', to: name, ...content });
    this.client.emit('command', { commandID: name, name, request: {} }, answer);
  }
}

describe('the end of a member socket', () => {
  let clock: ManualClock;
  let socket: FakeSocket;
  let connection: MemberSocket;
  let performed: string[];
  let finish: () => void;

  beforeEach(() => {
    clock = new ManualClock();
    socket = new FakeSocket();
    performed = [];
    const commands: CommandPerformer = {
      perform: (_actor, { name }) => {
        performed.push(name);
        return new Promise(resolve => (finish = () => resolve({})));
      },
    };
    connection = new MemberSocket(socket as unknown as RoomSocket, commands, clock, () => undefined);
  });
  afterEach(() => expect(clock.pending).toBe(0));

  const farewell = [{ name: 'farewell', reason: 'publisher_left' }, 'disconnected'];

  it('comes at once when no command runs', () => {
    connection.end('publisher_left');
    expect(socket.given).toEqual(farewell);
  });

  it('comes once, after the reply to the running command', async () => {
    socket.send('leave');
    await clock.settled();
    connection.end('publisher_left');
    connection.end('requested');
    connection.signal({ type: 'media.lost' } as never);
    expect(socket.given).toEqual([]);
    finish();
    await clock.settled();
    expect(socket.given).toEqual([{ name: 'answer', to: 'leave', success: true }, ...farewell]);
  });

  it('comes before commands that have not begun', async () => {
    socket.send('leave');
    socket.send('media.open');
    await clock.settled();
    connection.end('publisher_left');
    socket.send('media.open');
    finish();
    await clock.settled();
    expect(performed).toEqual(['leave']);
    expect(socket.given.slice(1)).toEqual(farewell);
  });

  it('waits at most five seconds', async () => {
    socket.send('leave');
    await clock.settled();
    connection.end('publisher_left');
    await clock.advance(4_999);
    expect(socket.given).toEqual([]);
    await clock.advance(1);
    expect(socket.given).toEqual(farewell);
  });
});

import type { RoomEvent } from '@rtms/contracts';
import fc from 'fast-check';
import { StoredRoomEvent } from '../life/life.entities.js';
import { RoomEventFeed, type Follower } from './room-event-feeds.service.js';

function stored(sequence: number, audience: string[] | null = null): StoredRoomEvent {
  const body = { message: { messageID: `msg_${sequence}` } };
  return Object.assign(new StoredRoomEvent(), { sequence, audience, type: 'chat.message', body, at: new Date(0) });
}

/** A growing log with pages of two events. */
class GrowingLog {
  readonly events: StoredRoomEvent[] = [];
  failures = 0;

  readAfter(_: string, sequence: number): Promise<{ events: StoredRoomEvent[]; isAll: boolean }> {
    if (this.failures-- > 0) return Promise.reject(new Error('away'));
    const events = this.events.filter(event => event.sequence > sequence).slice(0, 2);
    return Promise.resolve({ events, isAll: events.length < 2 });
  }
}

class RecordingFollower implements Follower {
  readonly role = 'participant';
  readonly sees = 'room';
  readonly given: number[] = [];

  constructor(
    readonly participantID: string,
    public sequence = 0,
  ) {}

  deliver(event: RoomEvent): void {
    this.given.push(event.sequence);
  }
}

const deliver = (event: RoomEvent, members: readonly RecordingFollower[]): void => {
  for (const member of members) member.deliver(event);
};

describe('RoomEventFeed', () => {
  it('delivers the same object to followers with the same view', async () => {
    const log = new GrowingLog();
    const given: [RoomEvent, string[]][] = [];
    const feed = new RoomEventFeed<RecordingFollower>('room_1', log, (event, members) => {
      given.push([event, members.map(({ participantID }) => participantID)]);
    });
    for (const name of ['a', 'b', 'c']) feed.follow(new RecordingFollower(name));
    log.events.push(stored(1), stored(2, ['a', 'c']));
    await feed.advance();
    expect(given.map(([, members]) => members)).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });

  it('delivers to each follower the events after its own position, once and in order', async () => {
    const log = new GrowingLog();
    const feed = new RoomEventFeed('room_1', log, deliver);
    const [early, late] = [new RecordingFollower('a'), new RecordingFollower('b', 3)];
    log.events.push(...[1, 2, 3, 4, 5].map(each => stored(each)));
    feed.follow(early);
    feed.follow(late);
    await Promise.all([feed.advance(), feed.advance()]);
    expect([early.given, late.given]).toEqual([
      [1, 2, 3, 4, 5],
      [4, 5],
    ]);
  });

  it('misses no event for a follower that arrives with an earlier position during a read', async () => {
    const log = new GrowingLog();
    const feed = new RoomEventFeed('room_1', log, deliver);
    const [there, comes] = [new RecordingFollower('a', 3), new RecordingFollower('b', 1)];
    log.events.push(...[1, 2, 3, 4].map(each => stored(each)));
    feed.follow(there);
    const reading = feed.advance();
    feed.follow(comes);
    await Promise.all([reading, feed.advance()]);
    expect([there.given, comes.given]).toEqual([[4], [2, 3, 4]]);
  });

  it('skips events for others', async () => {
    const log = new GrowingLog();
    const feed = new RoomEventFeed('room_1', log, deliver);
    const follower = new RecordingFollower('a');
    log.events.push(stored(1, ['b']), stored(2, ['a', 'b']), stored(3, ['c']));
    feed.follow(follower);
    await feed.advance();
    expect([follower.given, follower.sequence]).toEqual([[2], 3]);
  });

  it('continues where it stopped after a failed read', async () => {
    const log = new GrowingLog();
    const feed = new RoomEventFeed('room_1', log, deliver);
    const follower = new RecordingFollower('a');
    feed.follow(follower);
    log.events.push(stored(1));
    log.failures = 1;
    await expect(feed.advance()).rejects.toThrow('away');
    expect(feed.isBehind(1)).toBe(true);
    await feed.advance();
    expect(follower.given).toEqual([1]);
    expect(feed.isBehind(1)).toBe(false);
  });

  it('delivers nothing to a follower that left', async () => {
    const log = new GrowingLog();
    const feed = new RoomEventFeed('room_1', log, deliver);
    const follower = new RecordingFollower('a');
    feed.follow(follower);
    log.events.push(stored(1));
    feed.unfollow(follower);
    await feed.advance();
    expect([follower.given, feed.isEmpty]).toEqual([[], true]);
  });

  it('loses, doubles and reorders no event, whenever it is asked to read', async () => {
    const steps = fc.array(fc.constantFrom('write', 'advance', 'fail', 'join'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async script => {
        const log = new GrowingLog();
        const feed = new RoomEventFeed('room_1', log, deliver);
        const followers: { from: number; follower: RecordingFollower }[] = [];
        const running: Promise<void>[] = [];
        for (const step of script) {
          if (step === 'write') log.events.push(stored(log.events.length + 1));
          if (step === 'fail') log.failures = 1;
          if (step === 'advance') running.push(feed.advance().catch(() => undefined));
          if (step === 'join') {
            const follower = new RecordingFollower(`f${followers.length}`, log.events.length);
            followers.push({ from: log.events.length, follower });
            feed.follow(follower);
          }
        }
        await Promise.all(running);
        log.failures = 0;
        await feed.advance();
        for (const { from, follower } of followers)
          expect(follower.given).toEqual(log.events.slice(from).map(event => event.sequence));
      }),
    );
  });
});

import { SharedOpenings } from './shared-openings.js';

class Door {
  closed = 0;
  private ended = (): void => undefined;

  onEnded(listener: () => void): void {
    this.ended = listener;
  }

  end(): void {
    this.ended();
  }
}

describe('a value that several users share by key', () => {
  let doors: Door[];
  let shared: SharedOpenings<string, Door>;

  const open = async (): Promise<Door> => {
    const door = new Door();
    doors.push(door);
    return door;
  };

  beforeEach(() => {
    doors = [];
    shared = new SharedOpenings({
      close: door => door.closed++,
      onEnded: (door, listener) => door.onEnded(listener),
    });
  });

  it('is opened once, also for users that arrive while it is being opened', async () => {
    const [first, second] = await Promise.all([shared.acquire('a', open), shared.acquire('a', open)]);
    expect(first.opened).toBe(second.opened);
    expect((await shared.acquire('b', open)).opened).not.toBe(first.opened);
    expect(doors).toHaveLength(2);
    expect(shared.entries()).toEqual([
      ['a', doors[0]],
      ['b', doors[1]],
    ]);
  });

  it('closes when the last user releases it, once or twice', async () => {
    const [first, second] = await Promise.all([shared.acquire('a', open), shared.acquire('a', open)]);
    first.release();
    first.release();
    expect(shared.has('a')).toBe(true);
    second.release();
    expect(shared.has('a')).toBe(false);
    await Promise.resolve();
    expect(doors.map(({ closed }) => closed)).toEqual([1]);
  });

  it('is opened again after a failure', async () => {
    const failing = shared.acquire('a', () => Promise.reject(new Error('stuck')));
    expect(shared.keys()).toEqual(['a']);
    await expect(failing).rejects.toThrow('stuck');
    expect(shared.keys()).toEqual([]);
    expect((await shared.acquire('a', open)).opened).toBe(doors[0]);
  });

  it('is opened again after it ended, and old users do not close the new value', async () => {
    const former = await shared.acquire('a', open);
    doors[0]?.end();
    await shared.acquire('a', open);
    former.release();
    await Promise.resolve();
    expect(shared.has('a')).toBe(true);
    expect(doors.map(({ closed }) => closed)).toEqual([1, 0]);
  });

  it('is closed with all others', async () => {
    await shared.acquire('a', open);
    await shared.acquire('b', open);
    await shared.closeAll();
    expect(doors.map(({ closed }) => closed)).toEqual([1, 1]);
    expect(shared.keys()).toEqual([]);
  });
});

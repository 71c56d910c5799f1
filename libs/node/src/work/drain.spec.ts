import { EventLog, ManualClock } from '@rtms/testing';
import { DrainState, NodeDrain } from '../index.js';

class FakeWork {
  readonly happened = new EventLog<string>();
  readonly state = new DrainState();
  announced = Promise.resolve();
  private isBusy = true;

  announce(): Promise<void> {
    this.happened.add(this.state.isDraining ? 'announced: draining' : 'announced: willing');
    return this.announced;
  }
  tell(): void {
    this.happened.add('told');
  }
  isEmpty(): boolean {
    return !this.isBusy;
  }
  async endAll(): Promise<void> {
    this.happened.add('ended');
  }
  async abandon(): Promise<void> {
    this.happened.add('abandoned');
  }
  /** Ends one piece of work. With `isLast`, the node is then empty. */
  endOne(isLast: boolean): void {
    this.isBusy = !isLast;
    this.state.noteEnd();
  }
}

describe('a drain', () => {
  let clock: ManualClock;
  let work: FakeWork;
  let drain: NodeDrain;
  let over: boolean;

  function openDrain(drainSeconds: number, lingerSeconds?: number): void {
    clock = new ManualClock();
    work = new FakeWork();
    const times = { drainSeconds, ...(lingerSeconds !== undefined && { lingerSeconds }) };
    drain = new NodeDrain(work.state, work, times, clock);
  }

  /** Begins a drain and resolves once clients are asked to move. `over` becomes true when the node is empty. */
  async function beginAndWatch(): Promise<void> {
    over = false;
    void drain.untilEmpty().then(() => (over = true));
    await work.happened.find(each => each === 'told');
  }

  afterEach(async () => {
    await drain.close();
    await drain.close();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });

  it('ends readiness, then is announced, then asks clients to move', async () => {
    openDrain(60);
    let arrive: () => void = () => undefined;
    work.announced = new Promise(resolve => (arrive = resolve));
    const begun = drain.begin();
    expect(work.state.isDraining).toBe(true);
    expect(work.happened.all).toEqual(['announced: draining']);
    arrive();
    await begun;
    expect(work.happened.all).toEqual(['announced: draining', 'told']);
  });

  it('ends the remaining work when its time is over, and not a millisecond before', async () => {
    openDrain(60);
    await beginAndWatch();
    await clock.advance(59_999);
    expect([work.happened.all, over]).toEqual([['announced: draining', 'told'], false]);
    await clock.advance(1);
    await clock.advance(0);
    expect(work.happened.all).toEqual(['announced: draining', 'told', 'ended', 'abandoned']);
    expect(over).toBe(true);
  });

  it('abandons what is left after its linger time, also when nobody waits for the end', async () => {
    openDrain(60, 30);
    await drain.begin();
    await clock.advance(89_999);
    expect(work.happened.all.at(-1)).toBe('ended');
    await clock.advance(1);
    expect(work.happened.all.at(-1)).toBe('abandoned');
  });

  it.each(['cancelled', 'closed'])('abandons nothing when it is %s during its linger time', async how => {
    openDrain(60, 30);
    await beginAndWatch();
    await clock.advance(60_000);
    await (how === 'closed' ? drain.close() : drain.callOff());
    await clock.advance(60_000);
    expect([over, work.happened.all.includes('abandoned')]).toEqual([true, false]);
  });

  it('waits for its linger time while clients may still download', async () => {
    openDrain(60, 30);
    await beginAndWatch();
    await clock.advance(60_000);
    expect(work.happened.all).toContain('ended');
    await clock.advance(29_999);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(over).toBe(true);
  });

  it('ends before its linger time when no client downloads', async () => {
    openDrain(60, 30);
    await beginAndWatch();
    await clock.advance(60_000);
    expect(over).toBe(false);
    work.endOne(true);
    await clock.advance(0);
    expect(over).toBe(true);
  });

  it('ends at once with the last piece of work, and not before', async () => {
    openDrain(60);
    await beginAndWatch();
    work.endOne(false);
    await clock.advance(0);
    expect(over).toBe(false);
    work.endOne(true);
    await clock.advance(0);
    expect(over).toBe(true);
    expect(work.happened.all).not.toContain('ended');
  });

  it('ends at once on an empty node', async () => {
    openDrain(60);
    work.endOne(true);
    await drain.untilEmpty();
    expect(work.happened.all).toEqual(['announced: draining', 'told']);
  });

  it('asks clients to move once after two commands', async () => {
    openDrain(60);
    await Promise.all([drain.begin(), drain.begin()]);
    expect(work.happened.all.filter(each => each === 'told')).toHaveLength(1);
  });

  it('is cancelled, and may begin again with its whole time', async () => {
    openDrain(60);
    await drain.begin();
    await clock.advance(50_000);
    await drain.callOff();
    expect(work.state.isDraining).toBe(false);
    await clock.advance(50_000);
    await drain.begin();
    await clock.advance(59_999);
    expect(work.happened.all).toEqual([
      'announced: draining',
      'told',
      'announced: willing',
      'announced: draining',
      'told',
    ]);
    await clock.advance(1);
    expect(work.happened.all.slice(5)).toEqual(['ended', 'abandoned']);
  });

  it('resolves waiting callers when it is cancelled', async () => {
    openDrain(60);
    await beginAndWatch();
    await drain.callOff();
    await clock.advance(0);
    expect(over).toBe(true);
    expect(work.happened.all).not.toContain('ended');
  });

  it('asks no client to move when it is cancelled before its announcement', async () => {
    openDrain(60);
    let arrive: () => void = () => undefined;
    work.announced = new Promise(resolve => (arrive = resolve));
    const begun = drain.begin();
    work.announced = Promise.resolve();
    await drain.callOff();
    arrive();
    await begun;
    await clock.advance(120_000);
    expect(work.happened.all).toEqual(['announced: draining', 'announced: willing']);
  });
});

import { waitFor } from '@rtms/testing';
import { DrainState, NodeDrain } from './index.js';

class FakeWork {
  readonly happened: string[] = [];
  readonly state = new DrainState();
  isBusy = true;
  announced = Promise.resolve();

  announce(): Promise<void> {
    this.happened.push(this.state.isDraining ? 'announced: draining' : 'announced: willing');
    return this.announced;
  }
  tell(): void {
    this.happened.push('told');
  }
  isEmpty(): boolean {
    return !this.isBusy;
  }
  async endAll(): Promise<void> {
    this.happened.push('ended');
  }
}

describe('a drain', () => {
  let work: FakeWork;
  let drain: NodeDrain;

  function openDrain(drainSeconds: number, lingerSeconds?: number): void {
    work = new FakeWork();
    const times = { drainSeconds, ...(lingerSeconds !== undefined && { lingerSeconds }) };
    drain = new NodeDrain(work.state, work, times);
  }

  afterEach(() => drain.close());

  it('is announced before anybody is told, and readiness goes before both', async () => {
    openDrain(60);
    let arrive: () => void = () => undefined;
    work.announced = new Promise(resolve => (arrive = resolve));
    const begun = drain.begin();
    expect(work.state.isDraining).toBe(true);
    expect(work.happened).toEqual(['announced: draining']);
    arrive();
    await begun;
    expect(work.happened).toEqual(['announced: draining', 'told']);
  });

  it('ends what is left when its time is over, and only then', async () => {
    openDrain(0);
    await drain.untilEmpty();
    expect(work.happened).toEqual(['announced: draining', 'told', 'ended']);
  });

  it('waits for what has been ended and may still be wanted', async () => {
    openDrain(0, 60);
    let isOver = false;
    const over = drain.untilEmpty().then(() => (isOver = true));
    await waitFor(() => work.happened.includes('ended'));
    expect(isOver).toBe(false);
    work.isBusy = false;
    await over;
  });

  it('is over as soon as nothing runs any more', async () => {
    openDrain(60);
    const over = drain.untilEmpty();
    await waitFor(() => work.happened.includes('told'));
    work.isBusy = false;
    await over;
    expect(work.happened).not.toContain('ended');
  });

  it('tells nobody twice when it is commanded twice', async () => {
    openDrain(60);
    await Promise.all([drain.begin(), drain.begin()]);
    expect(work.happened.filter(each => each === 'told')).toHaveLength(1);
  });

  it('is called off, and may begin again', async () => {
    openDrain(60);
    await drain.begin();
    await drain.callOff();
    expect(work.state.isDraining).toBe(false);
    await drain.begin();
    expect(work.happened).toEqual(['announced: draining', 'told', 'announced: willing', 'announced: draining', 'told']);
  });

  it('tells nobody when it is called off before it was announced', async () => {
    openDrain(60);
    let arrive: () => void = () => undefined;
    work.announced = new Promise(resolve => (arrive = resolve));
    const begun = drain.begin();
    work.announced = Promise.resolve();
    await drain.callOff();
    arrive();
    await begun;
    expect(work.happened).not.toContain('told');
  });
});

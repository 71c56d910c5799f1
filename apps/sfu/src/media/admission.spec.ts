import { ConsumerBudget, describeLoad, findPlace, type Placement, placeViewer, WorkerLoad } from './admission.js';

describe('ConsumerBudget', () => {
  it('refuses tracks above the limit, and accepts them again once others have ended', () => {
    const budget = new ConsumerBudget(2);
    budget.reserve(2);
    expect(budget.full).toBe(true);
    expect(() => budget.reserve(1)).toThrow(expect.objectContaining({ reason: 'capacity_reached' }));
    budget.reserve(-1);
    budget.reserve(1);
    expect(budget.consumers).toBe(2);
  });

  it('counts accepted viewers once until they start', () => {
    const budget = new ConsumerBudget(10);
    const [first, second] = [budget.expectViewer(), budget.expectViewer()];
    expect(budget.roomLeft).toBe(6);
    first();
    first();
    expect(budget.roomLeft).toBe(8);
    budget.reserve(2);
    second();
    expect(budget.roomLeft).toBe(8);
  });
});

/** Before any measurement a packet is reckoned to cost 25 µs, and a handshake 2 ms. */
const usualCost = 25e-6;
const joining = 2e-3;

describe('WorkerLoad', () => {
  let rate: number;
  let load: WorkerLoad;
  let now: { at: number; cpuSeconds: number };
  beforeEach(() => {
    [rate, load] = [0, new WorkerLoad(0.8, () => rate)];
    now = { at: 100, cpuSeconds: 5 };
    load.note(now);
  });

  /** Two seconds a step, with a constant use of the core. */
  function pass(seconds: number, utilization: number): void {
    for (let left = seconds; left > 0; left -= 2) {
      now = { at: now.at + 2, cpuSeconds: now.cpuSeconds + 2 * utilization };
      load.note(now);
    }
  }

  /** Packets a second of the largest viewer that fits. */
  const roomLeft = (keptShare = 0): number => (load.limit * (1 - keptShare) - load.forecast - joining) / load.cost;

  it('admits a viewer up to the limit, and refuses the next packet', () => {
    const most = (0.8 - joining) / usualCost;
    expect([load.admits(most - 1), load.admits(most + 1)]).toEqual([true, false]);
    const withReserve = (0.8 * 0.9 - joining) / usualCost;
    expect([load.admits(withReserve - 1, 0.1), load.admits(withReserve + 1, 0.1)]).toEqual([true, false]);
  });

  it('learns the cost of a packet', () => {
    rate = 20_000;
    pass(300, 0.2);
    expect(load.utilization).toBeCloseTo(0.2);
    // Ten µs were measured; the usual cost keeps some weight.
    expect(load.cost).toBeGreaterThan(10e-6);
    expect(load.cost).toBeLessThan(11e-6);
  });

  it('does not take the fixed costs of an idle worker for the cost of its few packets', () => {
    rate = 50;
    pass(300, 0.01);
    // By themselves, the packets would cost 200 µs each.
    expect(load.cost).toBeLessThan(35e-6);
  });

  it('counts viewers at once that were accepted after the last measurement', () => {
    rate = 10_000;
    pass(60, 0.25);
    const before = load.forecast;
    rate = 14_000;
    expect(load.forecast - before).toBeCloseTo(4_000 * load.cost);
  });

  it('lets only as many of 500 simultaneous viewers in as fit', () => {
    rate = 10_000;
    pass(60, 0.25);
    const viewer = 334;
    const fitting = Math.floor((0.8 - load.forecast) / (viewer * load.cost + joining));
    const ends: (() => void)[] = [];
    for (let count = 0; count < 500; count++) if (load.admits(viewer)) ends.push(load.expectViewer(viewer));
    expect(ends).toHaveLength(fitting);
    expect(fitting).toBeGreaterThan(30);
    for (const end of [...ends, ...ends]) end();
    expect(load.forecast).toBeCloseTo(0.25);
  });

  it('refuses at the measured limit, whatever the packets were expected to cost', () => {
    rate = 1_000;
    pass(60, 0.79);
    expect(load.admits(1)).toBe(true);
    pass(20, 0.8);
    expect([load.admits(1), load.share]).toEqual([false, expect.closeTo(1, 2)]);
  });

  it('accepts viewers again within seconds after others have left', () => {
    rate = 30_000;
    pass(60, 0.79);
    rate = 0;
    pass(10, 0.01);
    expect(roomLeft()).toBeGreaterThan(20_000);
  });

  it('measures the growth of the last minute', () => {
    pass(120, 0.2);
    expect(load.growth).toBeCloseTo(0);
    for (let step = 1; step <= 30; step++) pass(2, 0.2 + step * 0.008);
    // 0.4 % of a core a second, of a limit of 80 %.
    expect(load.growth).toBeCloseTo(0.005, 3);
  });
});

describe('describeLoad', () => {
  const counts = { consumers: 100, capacity: 400, publishers: 3 };

  it('tells the larger of the used tracks and the used CPU', () => {
    expect(describeLoad({ ...counts, cpuShare: 0.1, cpuGrowth: 0 })).toMatchObject({ utilization: 0.25, used: 100 });
    expect(describeLoad({ ...counts, cpuShare: 0.5, cpuGrowth: 0 })).toMatchObject({ utilization: 0.5, used: 200 });
    expect(describeLoad({ ...counts, cpuShare: 1, cpuGrowth: 0 })).toMatchObject({ utilization: 1, used: 400 });
  });

  it('tells the seconds until the CPU is used up, at most an hour', () => {
    const seconds = (cpuGrowth: number) => describeLoad({ ...counts, cpuShare: 0.7, cpuGrowth }).secondsUntilFull;
    expect(seconds(0.01)).toBeCloseTo(30);
    expect([seconds(0), seconds(-1), seconds(1e-9)]).toEqual([3_600, 3_600, 3_600]);
  });
});

describe('placeViewer', () => {
  /** A worker whose CPU limit has room for `free` packets a second. */
  const worker = (limit: number, roomLeft: number, { free = 1_000, share = 0 } = {}) => ({
    budget: { limit, roomLeft },
    load: { admits: (rate: number, keptShare = 0) => rate <= free - keptShare * 1_000, share },
  });
  type Worker = ReturnType<typeof worker>;
  const place = (
    own: Worker,
    others: Worker[],
    { isCopiedTo, rate = 300 }: Pick<Partial<Placement<Worker>>, 'isCopiedTo' | 'rate'> = {},
  ) => placeViewer({ own, workers: [own, ...others], rate, ...(isCopiedTo && { isCopiedTo }) });

  it('places viewers on the room’s worker up to nine tenths of its tracks', () => {
    const [own, other] = [worker(400, 42), worker(400, 400)];
    expect(place(own, [other])).toBe(own);
    const fuller = worker(400, 41);
    expect(place(fuller, [other])).toBe(other);
  });

  it('places viewers on the room’s worker up to nine tenths of its CPU limit', () => {
    const other = worker(400, 400);
    const [own, fuller] = [worker(400, 400, { free: 400 }), worker(400, 400, { free: 399 })];
    expect(place(own, [other])).toBe(own);
    expect(place(fuller, [other])).toBe(other);
  });

  it('prefers a worker that already receives the tracks, else the one with the largest free share', () => {
    const [own, most, copied] = [worker(400, 0), worker(400, 300), worker(400, 2)];
    const others = [copied, worker(400, 200), worker(400, 400, { share: 0.6 }), most];
    expect(place(own, others)).toBe(most);
    expect(place(own, others, { isCopiedTo: one => one === copied })).toBe(copied);
  });

  it('skips a worker without space for audio and video, or without CPU for them', () => {
    const [own, copied, other] = [worker(400, 0), worker(400, 1), worker(400, 2)];
    const busy = worker(400, 400, { free: 299 });
    expect(place(own, [copied, busy, other], { isCopiedTo: one => one === copied })).toBe(other);
  });

  it('uses the reserve of the room’s own worker if all others are full', () => {
    const own = worker(400, 5, { free: 300 });
    const others = [worker(400, 1), worker(400, 400, { free: 299 })];
    expect(place(own, others)).toBe(own);
    expect(findPlace({ own, workers: [own, ...others], rate: 300 })).toBeUndefined();
  });

  it('refuses a viewer for whom no worker has CPU', () => {
    const own = worker(400, 400, { free: 299 });
    expect(() => place(own, [own])).toThrow(expect.objectContaining({ reason: 'capacity_reached' }));
  });
});

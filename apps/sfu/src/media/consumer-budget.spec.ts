import { ConsumerBudget, placeViewer } from './consumer-budget.js';

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

describe('placeViewer', () => {
  const worker = (limit: number, roomLeft: number) => ({ budget: { limit, roomLeft } });
  const nowhere = () => false;

  it('places viewers on the room’s worker up to nine tenths of its budget', () => {
    const [own, other] = [worker(400, 42), worker(400, 400)];
    expect(placeViewer(own, [own, other], nowhere)).toBe(own);
    const fuller = worker(400, 41);
    expect(placeViewer(fuller, [fuller, other], nowhere)).toBe(other);
  });

  it('prefers a worker that already receives the tracks, else the one with the most free tracks', () => {
    const [own, most, copied] = [worker(400, 0), worker(400, 300), worker(400, 2)];
    const all = [own, copied, worker(400, 200), most];
    expect(placeViewer(own, all, nowhere)).toBe(most);
    expect(placeViewer(own, all, one => one === copied)).toBe(copied);
  });

  it('skips a worker without space for audio and video', () => {
    const [own, copied, other] = [worker(400, 0), worker(400, 1), worker(400, 2)];
    expect(placeViewer(own, [own, copied, other], one => one === copied)).toBe(other);
  });

  it('returns the room’s own worker if all others are full', () => {
    const own = worker(400, 5);
    expect(placeViewer(own, [own, worker(400, 1)], nowhere)).toBe(own);
    expect(placeViewer(own, [own], nowhere)).toBe(own);
  });
});

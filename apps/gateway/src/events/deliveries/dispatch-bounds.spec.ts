import { DispatchBounds } from './dispatch-bounds.js';

const quick = { isSuccess: true, durationMs: 10 };
const slow = { isSuccess: true, durationMs: 5_000 };
const failed = { isSuccess: false, durationMs: 10 };

describe('the requests that a gateway sends at a time', () => {
  let bounds: DispatchBounds;

  beforeEach(() => {
    bounds = new DispatchBounds();
  });

  const of = (n: number, account = n) => ({ webhookID: `hook_${n}`, accountID: `acct_${account}` });
  const placesOf = (of: { webhookID: string; accountID: string }) =>
    bounds.placesFor([of], 1_000).get(of.webhookID) ?? 0;
  const answer = (n: number, answers: readonly (typeof quick)[], account = n) => {
    for (const each of answers) bounds.begin(of(n, account))(each);
  };

  it('begin with four of a webhook, and become more with quick answers', () => {
    expect(placesOf(of(1))).toBe(4);
    answer(1, [quick, quick]);
    expect(placesOf(of(1))).toBe(6);
    answer(1, Array<typeof quick>(100).fill(quick));
    expect(placesOf(of(1))).toBe(32);
  });

  it.each([
    ['slow answers', slow],
    ['failures', failed],
  ])('become fewer with %s, but stay one', (_, each) => {
    answer(1, [each]);
    expect(placesOf(of(1))).toBe(2);
    answer(1, [each, each, each]);
    expect(placesOf(of(1))).toBe(1);
    answer(1, [quick]);
    expect(placesOf(of(1))).toBe(2);
  });

  it('are counted until their end', () => {
    const ends = [1, 2, 3, 4].map(() => bounds.begin(of(1)));
    expect(placesOf(of(1))).toBe(0);
    ends[0]!(quick);
    expect(placesOf(of(1))).toBe(2);
  });

  it('are at most 64 of an account, with those that are planned', () => {
    for (let n = 0; n < 15; n += 1) for (let times = 0; times < 4; times += 1) bounds.begin(of(n, 1));
    expect(placesOf(of(20, 1))).toBe(4);
    expect(bounds.placesFor([of(20, 1), of(21, 1)], 1_000)).toEqual(new Map([['hook_20', 4]]));
    for (let times = 0; times < 4; times += 1) bounds.begin(of(20, 1));
    expect(placesOf(of(21, 1))).toBe(0);
    expect(placesOf(of(21, 2))).toBe(4);
  });

  it('leave half of the places to webhooks that are not slow', () => {
    const slowOnes = Array.from({ length: 200 }, (_, n) => n);
    for (const n of slowOnes) answer(n, [failed, failed, failed]);
    const begun = slowOnes.filter(n => {
      const places = placesOf(of(n));
      if (places > 0) bounds.begin(of(n));
      return places > 0;
    });
    expect(begun).toHaveLength(128);
    expect(placesOf(of(300))).toBe(4);
    for (let n = 300; n < 332; n += 1) for (let times = 0; times < 4; times += 1) bounds.begin(of(n));
    expect(placesOf(of(400))).toBe(0);
  });

  it('are within the bounds also when many begin in one round', () => {
    const all = Array.from({ length: 200 }, (_, n) => n);
    const sum = (places: Map<string, number>) => [...places.values()].reduce((total, count) => total + count, 0);
    expect(
      sum(
        bounds.placesFor(
          all.map(n => of(n)),
          1_000,
        ),
      ),
    ).toBe(256);
    expect(
      sum(
        bounds.placesFor(
          all.map(n => of(n)),
          100,
        ),
      ),
    ).toBe(100);
    for (const n of all) answer(n, [failed, failed, failed]);
    expect(
      sum(
        bounds.placesFor(
          all.map(n => of(n)),
          1_000,
        ),
      ),
    ).toBe(128);
  });
});

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
  const answer = (n: number, answers: readonly (typeof quick)[], account = n) => {
    for (const each of answers) bounds.begin(of(n, account))(each);
  };

  it('begin with four of a webhook, and become more with quick answers', () => {
    expect(bounds.placesOf(of(1))).toBe(4);
    answer(1, [quick, quick]);
    expect(bounds.placesOf(of(1))).toBe(6);
    answer(1, Array<typeof quick>(100).fill(quick));
    expect(bounds.placesOf(of(1))).toBe(32);
  });

  it.each([
    ['slow answers', slow],
    ['failures', failed],
  ])('become fewer with %s, but stay one', (_, each) => {
    answer(1, [each]);
    expect(bounds.placesOf(of(1))).toBe(2);
    answer(1, [each, each, each]);
    expect(bounds.placesOf(of(1))).toBe(1);
    answer(1, [quick]);
    expect(bounds.placesOf(of(1))).toBe(2);
  });

  it('are counted until their end', () => {
    const ends = [1, 2, 3, 4].map(() => bounds.begin(of(1)));
    expect(bounds.placesOf(of(1))).toBe(0);
    ends[0]!(quick);
    expect(bounds.placesOf(of(1))).toBe(2);
  });

  it('are at most 64 of an account, with those that are planned', () => {
    for (let n = 0; n < 15; n += 1) for (let times = 0; times < 4; times += 1) bounds.begin(of(n, 1));
    expect(bounds.placesOf(of(20, 1))).toBe(4);
    expect(bounds.placesOf(of(20, 1), 3)).toBe(1);
    for (let times = 0; times < 4; times += 1) bounds.begin(of(20, 1));
    expect(bounds.placesOf(of(21, 1))).toBe(0);
    expect(bounds.placesOf(of(21, 2))).toBe(4);
  });

  it('leave half of the places to webhooks that are not slow', () => {
    const slowOnes = Array.from({ length: 200 }, (_, n) => n);
    for (const n of slowOnes) answer(n, [failed, failed, failed]);
    const begun = slowOnes.filter(n => {
      const places = bounds.placesOf(of(n));
      if (places > 0) bounds.begin(of(n));
      return places > 0;
    });
    expect(begun).toHaveLength(128);
    expect(bounds.placesOf(of(300))).toBe(4);
    for (let n = 300; n < 332; n += 1) for (let times = 0; times < 4; times += 1) bounds.begin(of(n));
    expect(bounds.placesOf(of(400))).toBe(0);
  });
});

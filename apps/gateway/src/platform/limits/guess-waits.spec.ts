import { afterWrong, waitAfter, waitOf, type GuessPolicy, type Guesses } from './guess-waits.js';

const policy: GuessPolicy = { free: 5, longestWaitMs: 60_000 };
const now = 1_800_000_000_000;

function wrongTimes(times: number): Guesses | undefined {
  let guesses: Guesses | undefined;
  for (let time = 0; time < times; time += 1) guesses = afterWrong(guesses, policy, now);
  return guesses;
}

describe('the wait after wrong guesses', () => {
  it('grows from a second to the longest wait', () => {
    const seconds = [1, 4, 5, 6, 7, 8, 9, 10, 11, 100, 5_000].map(count => waitAfter(count, policy) / 1000);
    expect(seconds).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it.each([
    ['nobody guessed', undefined, undefined, 0],
    ['the address guessed four times', wrongTimes(4), wrongTimes(4), 0],
    ['the address guessed five times', wrongTimes(5), wrongTimes(5), 1_000],
    ['others guessed often, and the address never', undefined, wrongTimes(999), 0],
    ['others guessed often, and the address once', wrongTimes(1), wrongTimes(999), 60_000],
    ['more strangers guess than any group of people', undefined, wrongTimes(1_000), 60_000],
  ])('is right when %s', (_, own, all, wait) => {
    expect(waitOf(own, all, now)).toBe(wait);
    expect(waitOf(own, all, now + Math.max(0, wait - 1))).toBe(wait === 0 ? 0 : 1);
    expect(waitOf(own, all, now + wait)).toBe(0);
  });

  it('resets the count an hour after the last wrong guess', () => {
    const many = wrongTimes(50);
    expect(afterWrong(many, policy, now + 3_599_999).count).toBe(51);
    expect(afterWrong(many, policy, now + 3_600_000).count).toBe(1);
  });
});

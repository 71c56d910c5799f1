import { usableCores } from './usable-cores.mjs';

describe('the cores for system tests', () => {
  it.each([
    ['all cores of a fast machine', 2, 0.04, 2],
    ['all cores at the usual speed', 8, 0.1, 8],
    ['fewer cores of a slow machine', 8, 0.2, 4],
    ['one core of a very slow machine', 2, 5, 1],
  ])('are %s', (_, cores, startSeconds, usable) => expect(usableCores(cores, startSeconds)).toBe(usable));
});

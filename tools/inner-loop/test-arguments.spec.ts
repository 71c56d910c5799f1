import { jestArguments } from './test-arguments.mjs';

describe('the arguments of npm test', () => {
  it.each([
    ['stay as they are', 'apps/sfu --bail', true, 'apps/sfu --bail'],
    ['select tests of uncommitted changes', '--changed', false, '--onlyChanged --selectProjects fast'],
    ['select tests of the last commit in a clean checkout', '--changed', true, '--lastCommit --selectProjects fast'],
    ['select all tiers when asked', '--changed --all', false, '--onlyChanged'],
    ['keep the other arguments', '--bail --changed', true, '--bail --lastCommit --selectProjects fast'],
  ])('%s', async (_case, given, isClean, expected) => {
    expect((await jestArguments(given.split(' '), () => Promise.resolve(isClean))).join(' ')).toBe(expected);
  });
});

import { nodeIsNewEnough } from './prepare.mjs';

describe('the version of Node.js', () => {
  it.each([
    ['20.19.0', true],
    ['22.1.0', true],
    ['20.18.9', false],
    ['18.20.0', false],
  ])('%s is new enough: %s', (version, enough) => {
    expect(nodeIsNewEnough(version)).toBe(enough);
  });
});

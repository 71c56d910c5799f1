import { effectiveFeatures } from './features.js';

describe('the features of an account', () => {
  it.each([
    ['on where the platform has it on', [{ feature: 'hls', enabled: true }], [], true],
    ['off where the platform has it off', [{ feature: 'hls', enabled: false }], [], false],
    ['off where nobody said anything', [], [], false],
    [
      'off where the account has it off',
      [{ feature: 'hls', enabled: true }],
      [{ feature: 'hls', enabled: false }],
      false,
    ],
    [
      'off on the platform even where the account has it on',
      [{ feature: 'hls', enabled: false }],
      [{ feature: 'hls', enabled: true }],
      false,
    ],
    ['untouched by other features', [{ feature: 'hls', enabled: true }], [{ feature: 'whip', enabled: false }], true],
  ])('are %s', (_, platform, account, expected) => {
    expect(effectiveFeatures(platform, account).hls).toBe(expected);
  });
});

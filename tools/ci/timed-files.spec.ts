import { timedFiles } from './timed-files.mjs';

describe('the timed files', () => {
  it('are the system tests and the files that state their weight', () => {
    const files = [
      { path: 'test/system/rooms.system-spec.ts', source: '' },
      { path: 'apps/sfu/src/signalling/whip/whip.e2e-spec.ts', source: '/** @weight 0.2 */\n' },
      { path: 'apps/gateway/src/rooms.e2e-spec.ts', source: "import x from 'y'; /** @weight 0.2 */" },
      { path: 'libs/bus/src/bus.spec.ts', source: '' },
    ];
    expect(timedFiles(files)).toEqual([
      { path: 'test/system/rooms.system-spec.ts', tier: 'system' },
      { path: 'apps/sfu/src/signalling/whip/whip.e2e-spec.ts', tier: 'e2e' },
    ]);
  });
});

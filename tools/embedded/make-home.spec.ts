import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeHome } from './embedded-stack.mjs';

describe('the directory of an installation', () => {
  let folder: string;
  let home: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-home-'));
    home = join(folder, 'home');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const modeOf = (name: string) => statSync(join(home, name)).mode & 0o777;

  it('lets nobody else in', () => {
    makeHome(home);
    expect([modeOf('.'), modeOf('media'), modeOf('logs')]).toEqual([0o700, 0o700, 0o700]);
  });

  it('withdraws the rights of others from an earlier installation', () => {
    mkdirSync(join(home, 'media'), { recursive: true });
    for (const path of [home, join(home, 'media')]) chmodSync(path, 0o755);
    makeHome(home);
    expect([modeOf('.'), modeOf('media'), modeOf('logs')]).toEqual([0o700, 0o700, 0o700]);
  });
});

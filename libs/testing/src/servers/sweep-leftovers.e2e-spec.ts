import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder, sweepLeftovers } from './sweep-leftovers.mjs';

const refusal = spawnSync('unshare', ['--net', '--mount', 'true'], { encoding: 'utf8' }).stderr.trim();
if (refusal) process.stderr.write(`Leftover disks and networks are not tried, as none can be made here: ${refusal}\n`);

/** Other test files sweep leftovers with the usual prefix at any moment. */
const prefix = 'rtms-sweep-test';

describe('sweepLeftovers', () => {
  const owners = { dead: spawnSync('true').pid, living: process.pid };
  const made: string[] = [];
  const networks: string[] = [];

  afterEach(() => {
    for (const path of made.splice(0)) {
      spawnSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    }
    for (const name of networks.splice(0)) spawnSync('ip', ['netns', 'delete', name]);
  });

  function makeDirectory(kind: string, owner: number, folder = tmpdir()): string {
    const path = mkdtempSync(join(folder, `${prefix}-${kind}-${owner}-`));
    writeFileSync(join(path, 'file'), 'content');
    made.push(path);
    return path;
  }

  const places = ['nats', 'debian-postgres', 'turn'].map(kind => ({ kind, folder: tmpdir() }));
  if (existsSync(memoryFolder)) places.push({ kind: 'postgres', folder: memoryFolder });
  it.each(places)('deletes only the $kind directory of a dead process in $folder', ({ kind, folder }) => {
    const [dead, living] = [makeDirectory(kind, owners.dead, folder), makeDirectory(kind, owners.living, folder)];
    sweepLeftovers(prefix);
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
  });

  (refusal ? describe.skip : describe)('with the rights of an administrator', () => {
    it('unmounts only the disk of a dead process', () => {
      const [dead, living] = [makeDirectory('disk', owners.dead), makeDirectory('disk', owners.living)];
      for (const path of [dead, living])
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'rtms-test-disk', path]);
      sweepLeftovers(prefix);
      const mounts = readFileSync('/proc/self/mounts', 'utf8');
      expect([mounts.includes(dead), mounts.includes(living)]).toEqual([false, true]);
      expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
    });

    it('deletes only the network of a dead process', () => {
      const [dead, living] = [`${prefix}-${owners.dead}-1`, `${prefix}-${owners.living}-1`];
      networks.push(dead, living);
      for (const name of networks) execFileSync('ip', ['netns', 'add', name]);
      sweepLeftovers(prefix);
      const left = readdirSync('/run/netns');
      expect([left.includes(dead), left.includes(living)]).toEqual([false, true]);
    });
  });
});

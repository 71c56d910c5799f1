import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog } from '@rtms/testing';
import { WorkDirectory } from './work-directory.js';

/** A box of MP4. */
function box(content: string): Buffer {
  const header = Buffer.from('....mdat');
  header.writeUInt32BE(header.length + content.length);
  return Buffer.concat([header, Buffer.from(content)]);
}

describe('WorkDirectory', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'rtms-work-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  async function openDirectory() {
    const events = new EventLog<string>();
    const directory = await WorkDirectory.open(parent, ['v1'], {
      onInit: name => events.add(`${name} init`),
      onSegment: (name, { bytes }) => events.add(`${name} ${bytes.toString('latin1', 8)}`),
      onUnreadable: error => events.add((error as NodeJS.ErrnoException).code ?? 'no code'),
    });
    const write = (file: string, content: string | Buffer) => writeFile(join(directory.path, file), content);
    const list = (...indices: number[]) =>
      write('v1.m3u8', indices.map(index => `#EXTINF:2.0,\nv1-${index}.m4s\n`).join(''));
    return { directory, events, write, list };
  }

  it('reports finished segments in order, the init segment first', async () => {
    const { directory, events, write, list } = await openDirectory();
    await Promise.all([write('v1-init.mp4', ''), write('v1-0.m4s', box('first')), write('v1-1.m4s', box('second'))]);
    await list(0, 1);
    await events.atLeast(3);
    expect(events.all).toEqual(['v1 init', 'v1 first', 'v1 second']);
    await directory.close();
  });

  it.each([0, 3, 8, 10])('waits for the rest of a listed segment of which %d bytes are written', async count => {
    const { directory, events, write, list } = await openDirectory();
    const first = box('first');
    await Promise.all([write('v1-init.mp4', ''), write('v1-0.m4s', first.subarray(0, count))]);
    await write('v1-1.m4s', box('second'));
    await list(0, 1);
    await directory.scan();
    expect(events.all).toEqual([]);
    // Without a change of the playlist.
    await write('v1-0.m4s', first);
    await events.atLeast(3);
    expect(events.all).toEqual(['v1 init', 'v1 first', 'v1 second']);
    await directory.close();
  });

  it('reports a listed segment that is missing, takes out nothing after it, and can be closed', async () => {
    const { directory, events, write, list } = await openDirectory();
    await Promise.all([write('v1-init.mp4', ''), write('v1-1.m4s', box('second'))]);
    await list(0, 1);
    await events.find(event => event === 'ENOENT');
    await write('v1-0.m4s', box('too late'));
    await list(0, 1);
    await directory.scan();
    expect(events.all).toEqual(['ENOENT']);
    await directory.close();
    expect(existsSync(directory.path)).toBe(false);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { freePort } from '@rtms/testing';
import { restreamBenches, restreamRequest } from '../../../test/restream-bench.js';

/** @weight 0.5 */

const { open, target } = restreamBenches();

/** The command lines of all processes that this test may read. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

const key = 'key-Xk29fqL8';

async function rtmpTarget() {
  const url = `rtmp://127.0.0.1:${await freePort()}/live/event`;
  return { url, listen: () => target(`${url}/${key}`, ['-listen', '1']) };
}

describe('a restream by RTMP', () => {
  it('copies the picture, encodes the sound, and shows the key to nobody', async () => {
    const bench = await open();
    const { url, listen } = await rtmpTarget();
    const receiver = await listen();
    await bench.restreams.start(restreamRequest('rs_1', { protocol: 'rtmp', url, streamKey: key }));
    await bench.fact('rs_1', 'restream.active');
    expect(bench.restreams.inventory()).toEqual([{ restreamID: 'rs_1', state: 'active' }]);
    const pid = bench.restreams.senderPids().get('rs_1');
    const own = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    expect(own).toContain('flv');
    expect(own).not.toContain(key);
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(key);
    await receiver.has(200_000);
    await bench.restreams.stop({ restreamID: 'rs_1' });
    expect(await receiver.probe()).toMatchObject({ video: 'h264', size: '320x180', audio: 'aac', errors: undefined });
    const { pictures, volume } = await receiver.probe();
    expect(pictures).toBeGreaterThan(20);
    expect(volume).toBeGreaterThan(-40);
    expect(bench.logged.all.join('\n')).not.toContain(key);
    expect(bench.restreams.load).toBe(0);
    expect(await commandLines()).not.toContain(`${key}-never`);
  }, 60_000);
});

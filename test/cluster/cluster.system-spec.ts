/** @weight 0.5 for 30 s */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { networkRefusal } from '../system/harness/network.js';
import { mountRefusal } from '../system/harness/small-disk.js';

const run = promisify(execFile);
const refusal = networkRefusal() ?? mountRefusal();
if (refusal) process.stderr.write(`The test of a cluster is skipped, as this machine makes no networks: ${refusal}\n`);

(refusal ? describe.skip : describe)('a cluster in network namespaces', () => {
  it('continues a show after the SFU that owns its room was killed', async () => {
    const program = ['node_modules/.bin/tsx', 'test/cluster/cluster-test.ts', '1', '1', 'kill owner SFU'];
    const { stdout } = await run(process.execPath, program, { timeout: 180_000, killSignal: 'SIGTERM' });
    expect(stdout).toContain('| 0 of 1 |');
  }, 200_000);
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './free-port.mjs';

const program = fileURLToPath(new URL('./free-port.mjs', import.meta.url));
const run = promisify(execFile);

describe('freePort', () => {
  it('returns no port that the system may give to another program', async () => {
    const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = 0, last = 0] = range.split(/\s+/).map(Number);
    for (let count = 0; count < 50; count += 1) {
      const port = await freePort();
      expect(port >= first && port <= last).toBe(false);
    }
  });

  it('returns no port that fetch refuses', async () => {
    const script = `
      const crypto = process.getBuiltinModule('node:crypto');
      let port = 0;
      crypto.randomInt = least => (port = Math.max(least, port + 1));
      process.getBuiltinModule('node:module').syncBuiltinESMExports();
      const { freePort } = await import(${JSON.stringify(program)});
      const last = 10_100;
      for (let port = await freePort(); port < last; port = await freePort()) {
        const { cause } = await fetch('http://127.0.0.1:' + port).catch(error => error);
        console.log(cause.message);
      }`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout).toMatch('ECONNREFUSED');
    expect(stdout).not.toMatch('bad port');
  });

  it('returns no port twice, in this process and in others', async () => {
    const own = new Set<number>();
    while (own.size < 200) {
      const port = await freePort();
      expect(own).not.toContain(port);
      own.add(port);
    }
    // The test can check only the ports of this process.
    const numbers = JSON.stringify([...own]);
    const script = `
      const crypto = process.getBuiltinModule('node:crypto');
      const numbers = [...${numbers}, 0];
      crypto.randomInt = () => numbers.shift();
      process.getBuiltinModule('node:module').syncBuiltinESMExports();
      const { freePort } = await import(${JSON.stringify(program)});
      console.log(await freePort());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(own).not.toContain(Number(stdout));
  });
});

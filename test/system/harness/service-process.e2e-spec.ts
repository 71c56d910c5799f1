/** @weight 0.2 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@rtms/testing';
import { ServiceProcess } from './service-process.js';

describe('ServiceProcess', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `rtms-test-service-${process.pid}-`));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function make(port: number, script: string): ServiceProcess {
    const options = { name: 'spec', url: `http://127.0.0.1:${port}`, env: {}, logFile: join(folder, 'spec.log') };
    return new ServiceProcess({ ...options, entryPoint: `--eval=${script}` });
  }
  const listening = (port: number) => `http.createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1')`;

  it('is ready once its own process answers', async () => {
    const port = await freePort();
    const service = make(port, listening(port));
    await service.start();
    expect(await service.isReady()).toBe(true);
    await service.stop();
  });

  it('does not mistake another process’s answer for its own', async () => {
    const other = createServer((_request, answer) => answer.end()).listen(await freePort(), '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const service = make(port, 'setInterval(() => 0, 1000)');
    await expect(service.start({ timeoutMs: 500 })).rejects.toThrow('waited 500 ms for spec to be ready');
    await service.stop();
    other.close();
  });

  it('fails at once when its process ends', async () => {
    const service = make(await freePort(), 'process.exit(3)');
    await expect(service.start()).rejects.toThrow(/spec ended with code 3; see .*spec\.log/);
  });
});

/** @weight 0.75 for 10 s */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@rtms/testing';
import { ApiClient } from './harness/api-client.js';
import { StartedProgram, type ReadyFile } from './harness/started-program.js';
import { trustingFetch } from './harness/trusting-fetch.js';

describe('npm start -- --lan', () => {
  const home = mkdtempSync(join(tmpdir(), 'rtms-start-lan-'));
  let started: StartedProgram;

  afterAll(async () => {
    started.child.kill('SIGTERM');
    await started.exit;
    rmSync(home, { recursive: true });
  });

  it('serves other machines by HTTPS, and redirects HTTP to it', async () => {
    const httpPort = await freePort();
    const env = { HTTPS_PORT: '0', HTTP_PORT: String(httpPort), RTC_ANNOUNCED_ADDRESS: '127.0.0.1' };
    started = new StartedProgram(home, { GRACE_SECONDS: '2', ...env }, [process.execPath, 'tools/start.mjs', '--lan']);
    await started.says('Ctrl-C stops everything');
    const { lan, ...ready } = JSON.parse(readFileSync(join(home, 'ready.json'), 'utf8')) as ReadyFile;
    expect(lan).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/dashboard$/);
    expect(started.output).toContain(lan);
    const origin = new URL(lan ?? '').origin;
    const plain = await fetch(`http://127.0.0.1:${httpPort}/dashboard`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([308, lan]);
    const ask = trustingFetch(join(home, 'caddy', 'caddy', 'pki', 'authorities', 'local', 'root.crt'));
    const headers = { 'content-type': 'application/json', origin };
    const body = JSON.stringify({ email: ready.email, password: ready.password });
    const signedIn = await ask(`${origin}/dashboard/api/session`, { method: 'POST', headers, body });
    expect([signedIn.status, signedIn.headers.getSetCookie()[0]]).toEqual([201, expect.stringMatching(/; Secure/)]);
    const api = new ApiClient(ready.gateway, `${ready.apiUserName}:${ready.apiKey}`);
    const { ingest } = await api.openSession(await api.createRoom());
    expect(new URL(ingest.url).origin).toBe(origin);
    expect((await ask(ingest.url, { method: 'POST' })).status).toBe(401);
    started.child.kill('SIGINT');
    expect(await started.exit).toBe(0);
  });
});

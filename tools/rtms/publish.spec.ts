/** @seconds 4 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@rtms/testing';

const token = 'secret-token';

/** Runs the program to its end. */
async function publish(args: string[], env: Record<string, string> = { WHIP_TOKEN: token }) {
  const child = spawn(process.execPath, ['tools/rtms/rtms.mjs', 'publish', ...args], {
    env: { PATH: process.env['PATH'] ?? '', RTMS_HOME: '/nowhere', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, output: `${stdout}${stderr}` };
}

describe('rtms publish', () => {
  let server: Server | undefined;
  const authorizations: (string | undefined)[] = [];

  /** A WHIP endpoint that refuses each offer with the next answer. */
  async function endpoint(...answers: [status: number, reason: string][]): Promise<string> {
    server = createServer((request, response) => {
      const [status, reason] = answers.shift() ?? [500, 'internal_error'];
      authorizations.push(request.headers.authorization);
      request.resume().on('end', () => {
        response.writeHead(status).end(JSON.stringify({ success: false, error: 'Not now.', reason }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/whip/ext_1`;
  }

  afterEach(() => {
    authorizations.length = 0;
    server?.close();
    server = undefined;
  });

  it('ends with the answer of a service that refuses its token, and does not print the token', async () => {
    const { code, output } = await publish(['--url', await endpoint([401, 'token_expired'])]);
    expect(code).toBe(1);
    expect(output).toContain('The service answered 401: Not now. (token_expired)');
    expect(output).not.toContain(token);
    expect(authorizations).toEqual([`Bearer ${token}`]);
  });

  it('tries again when the service is busy', async () => {
    const { code, output } = await publish([
      '--url',
      await endpoint([503, 'capacity_reached'], [403, 'feature_disabled']),
    ]);
    expect(code).toBe(1);
    expect(output).toMatch(
      /503: Not now\. \(capacity_reached\) Trying again in 0\.5 s[^]*403: Not now\. \(feature_disabled\)/,
    );
  });

  it('renews the expired token of its own session', async () => {
    const url = await endpoint([401, 'token_expired'], [403, 'feature_disabled']);
    const ingest = { url, token };
    const asked: unknown[] = [];
    const gateway = createServer((request, response) => {
      const isRenewal = request.url?.endsWith('/ext_1');
      const externalSession = { sessionID: 'ext_1', ingest: isRenewal ? { ...ingest, token: 'new-token' } : ingest };
      void text(request).then(body => {
        asked.push([request.url, JSON.parse(body)]);
        response.end(JSON.stringify({ room: { meetingID: 'room_1' }, externalSession }));
      });
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    const home = mkdtempSync(join(tmpdir(), 'rtms-publish-'));
    try {
      const { port } = gateway.address() as AddressInfo;
      const sfu = new URL(url).origin;
      const ready = { gateway: `http://127.0.0.1:${port}`, sfu, dashboard: '', apiUserName: 'demo', apiKey: 'key' };
      writeFileSync(join(home, 'ready.json'), JSON.stringify(ready));
      const { code, output } = await publish([], { RTMS_HOME: home });
      expect([code, output]).toEqual([1, expect.stringContaining('403: Not now. (feature_disabled)')]);
      expect(authorizations).toEqual([`Bearer ${token}`, 'Bearer new-token']);
      expect(asked).toContainEqual(['/v1/meetings/room_1/external-sessions/ext_1', { action: 'renewToken' }]);
      expect(output).not.toMatch(/new-token|secret-token/);
    } finally {
      rmSync(home, { recursive: true });
      gateway.close();
    }
  });

  it('says that nothing answers at the address', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const { code, output } = await publish(['--url', `${origin}/whip/ext_1`]);
    expect(code).toBe(1);
    expect(output).toContain(`No connection to ${origin}: fetch failed (connect ECONNREFUSED`);
  });

  it.each([
    [['--url', 'http://127.0.0.1:1/whip'], {}, 'The token is missing'],
    [[], {}, '/nowhere/ready.json does not exist: run `npm start` first'],
    [
      ['--url', 'http://127.0.0.1:1/whip', 'no-such-file.mp4'],
      { WHIP_TOKEN: token },
      'FFmpeg finds neither audio nor video',
    ],
    [['--tokens', token], {}, 'Usage:'],
  ])('refuses %j with %j', async (args, env, message) => {
    const { code, output } = await publish(args, env);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });
});

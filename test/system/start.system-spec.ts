/** @weight 0.75 for 60 s */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  EncoderPublisher,
  makeCertificates,
  patienceMs,
  sharedChromium,
  waitFor,
  type TestCertificates,
} from '@rtms/testing';
import { ApiClient } from './harness/api-client.js';
import { commandsUnder, runFromPage } from './harness/page-commands.js';
import type { RunningProcess } from './harness/processes.js';
import { downloadedChecksum, recordSome } from './harness/recorded.js';
import { StartedProgram, type ReadyFile } from './harness/started-program.js';
import { trustingFetch } from './harness/trusting-fetch.js';

const execute = promisify(execFile);

function isRunning({ pid, command }: RunningProcess): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === command;
  } catch {
    return false;
  }
}

async function allGone(processes: RunningProcess[]): Promise<void> {
  const noneIsLeft = () => {
    expect(processes.filter(isRunning)).toEqual([]);
    return true;
  };
  await waitFor(noneIsLeft, { everyMs: 100, what: 'the end of every process' });
}

const apiOf = ({ gateway, apiUserName, apiKey }: ReadyFile) => new ApiClient(gateway, `${apiUserName}:${apiKey}`);

/** The life of one installation from its first start, because each start takes seconds. */
describe('an installation of npm start', () => {
  let folder: string;
  let home: string;
  let certificates: TestCertificates;
  let program: StartedProgram;
  let ready: ReadyFile;
  const programs: StartedProgram[] = [];

  function start(...options: [env?: Record<string, string>, command?: string[]]): StartedProgram {
    const [env, command] = options;
    const started = new StartedProgram(home, { GRACE_SECONDS: '2', ...env }, command);
    programs.push(started);
    return started;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-start-'));
    chmodSync(folder, 0o755);
    home = join(folder, 'home');
    certificates = makeCertificates();
    program = start();
    ready = await program.ready();
  });

  /**
   * Runs a command to its end. A synchronous call would block the event loop: `fetch` would not see that a restarted service closed its
   * connection, and the next request would fail.
   */
  async function run(program: string, args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], RTMS_HOME: home };
    return (await execute(program, args, { env, timeout: patienceMs })).stdout;
  }
  const rtms = (...args: string[]) => run(process.execPath, ['tools/rtms/rtms.mjs', ...args]);

  afterAll(async () => {
    for (const { child, exit } of programs) {
      child.kill('SIGTERM');
      await exit;
    }
    certificates?.remove();
    rmSync(folder, { recursive: true });
  });

  it('prints commands that work unchanged', async () => {
    const commands = program.output.split('\n').filter(line => /^(ROOM=\$\()?curl /.test(line));
    expect(commands).toHaveLength(3);
    const shell = spawn('sh', ['-ec', commands.join('\n')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(shell, 'close');
    const answers = await text(shell.stdout);
    expect((await closed)[0]).toBe(0);
    expect(answers).toMatch(/^room_/);
    expect(answers).toContain('"externalSession":');
    expect(answers).toContain('"externalSessions":[');
    expect(answers).not.toContain(ready.apiKey);
  });

  it('tests each block of commands of the README', async () => {
    const page = await readFile('README.md', 'utf8');
    const commands = commandsUnder('First picture', page);
    // The tests of this file run both.
    expect(commands.replaceAll(/ *#.*/g, '').trim().split('\n')).toEqual(['npm run demo', 'npm start']);
    const tested = ['First picture', 'From publisher to viewer'].map(heading => commandsUnder(heading, page)).join('');
    expect([...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('')).toBe(tested);
  });

  it('shows a test picture by WHEP and HLS with its delays, and removes all of it', async () => {
    const admin = new ApiClient(ready.gateway, ready.adminToken);
    const before = await admin.expect(200, 'GET', '/admin/v1/rooms');
    const demo = new StartedProgram(home, {}, ['npm', 'run', 'demo']);
    await demo.says('The demo is live');
    const link = /^ {2}(http:\S+)$/m.exec(demo.output)?.[1] ?? '';
    const browser = await sharedChromium();
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(link);
      for (const player of ['whep', 'hls']) {
        await page.waitForFunction(`demo.${player}.frames > 0 && demo.${player}.delayMs > 0`);
      }
    } finally {
      await context.close();
      await browser.close();
    }
    const started = demo.started();
    expect(started.map(({ command }) => command).join('\n')).not.toContain(ready.apiKey);
    process.kill(started.find(({ command }) => command === 'node tools/demo.mjs')!.pid, 'SIGINT');
    expect(await demo.exit).toBe(0);
    await allGone(started);
    await expect(fetch(link)).rejects.toThrow();
    expect((await admin.expect(200, 'GET', '/admin/v1/rooms')).total).toBe(before.total);
  });

  it('runs the commands of the README, from the room to its end', async () => {
    const page = await readFile('README.md', 'utf8');
    const commands = commandsUnder('From publisher to viewer', page);
    const env = { RTMS_HOME: home, HOME: process.env['HOME'] ?? '/', PATH: process.env['PATH'] ?? '' };
    const shell = spawn('bash', ['-euc', commands], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(shell, 'close');
    const answers = await text(shell.stdout);
    expect([(await closed)[0], answers]).toEqual([0, expect.stringContaining('Publishing has ended.')]);
    expect(answers).toMatch(/"http[^"]*\/whep\/play_/);
    expect(answers).toMatch(/"http[^"]*\/hls\/bcast_/);
  });

  it('publishes a test picture into a room of the demo account until Ctrl-C', async () => {
    const api = apiOf(ready);
    const publisher = new StartedProgram(home, {}, ['npx', 'rtms', 'publish']);
    await publisher.says('Publishing a test picture');
    const meetingID = /rooms\/(room_\w+)/.exec(publisher.output)?.[1] ?? '';
    const sessionID = /whip\/(ext_\w+)/.exec(publisher.output)?.[1] ?? '';
    await api.sessionBecomes(meetingID, sessionID, 'active');
    expect(await rtms('sessions')).toMatch(new RegExp(`^${sessionID} .* active `, 'm'));
    const measured = / s {2}\d+ frames\/s, \d+ kbit\/s, delay \d+ ms, lost \d+ of \d+ packets/;
    // A busy machine may read no clock within six seconds.
    const isMeasured = async () => measured.test(await rtms('watch', sessionID, '--seconds', '6'));
    await waitFor(isMeasured, { what: 'a line with all that is measured' });
    const started = publisher.started();
    expect(started.map(({ command }) => command).join('\n')).not.toContain(ready.apiKey);
    const program = started.find(({ command }) => /^node .*rtms.* publish/.test(command));
    process.kill(program!.pid, 'SIGINT');
    expect(await publisher.exit).toBe(0);
    const ended = await api.sessionBecomes(meetingID, sessionID, 'ended');
    // The program ends its room next; the gateway may process either first.
    expect(['publisher_left', 'room_ended']).toContain(ended.endReason);
    await allGone(started);
  });

  it('shows addresses, sign-in and health at any time, and the logs', async () => {
    const shown = await rtms('status');
    expect(shown).toMatch(new RegExp(`^ +sfu +${ready.sfu} +ready$`, 'm'));
    for (const text of [ready.email, ready.password, `${ready.apiUserName}:${ready.apiKey}`])
      expect(shown).toContain(text);
    expect(await rtms('logs', 'gateway', '--lines', '100')).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}gateway {5}info /m);
  });

  it('shows the link of the first administrator until somebody has used it', async () => {
    const { origin, hash } = new URL(/^ {2}(http:\S+\/dashboard\/setup#\S+)$/m.exec(program.output)?.[1] ?? '');
    expect(origin).toBe(ready.gateway);
    expect(await rtms('status')).toContain(`${origin}/dashboard/setup#`);
    const sent = { code: hash.slice(1), email: 'root@example.com', newPassword: 'a-password-of-the-administrator' };
    const headers = { 'content-type': 'application/json', origin };
    const post = (path: string, body: object) =>
      fetch(`${origin}/dashboard/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post('setup', sent)).status).toBe(201);
    const signedIn = await post('session', { email: sent.email, password: sent.newPassword });
    expect(await signedIn.json()).toMatchObject({ session: { user: { role: 'administrator' } } });
    expect(await rtms('status')).not.toContain('/dashboard/setup');
  });

  it('writes addresses and credentials to a file for its owner only', async () => {
    expect(statSync(join(home, 'ready.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(ready).sort()).toEqual(
      [
        ...['gateway', 'sfu', 'transcoder', 'ingest', 'apiUserName', 'apiKey', 'adminToken'],
        ...['dashboard', 'email', 'password'],
      ].sort(),
    );
    for (const address of [ready.gateway, ready.sfu, ready.transcoder, ready.ingest]) {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
    }
  });

  it('gives rtms-admin the address and the token of the gateway', async () => {
    const status = await run(process.execPath, ['apps/gateway/dist/admin/cli/rtms-admin.js', 'status']);
    expect(status).toMatch(/^gatewayVersion +\d+\.\d+\.\d+$/m);
    expect(status).toMatch(/^sfu-\S+ +sfu +\d+\.\d+\.\d+ +false /m);
    expect(status).not.toContain(ready.adminToken);
  });

  it('keeps everything of the installation closed to other users', async () => {
    expect(statSync(home).mode & 0o027).toBe(0);
    const options = ['-ignore_readdir_race', '-mindepth', '1', '-not', '-type', 'l', '-perm', '/077'];
    expect(await run('find', [home, ...options])).toBe('');
  });

  it('serves with a role of the database that may only read and write rows', async () => {
    const admin = new ApiClient(ready.gateway, ready.adminToken);
    const { findings } = await admin.expect(200, 'GET', '/admin/v1/doctor');
    expect(findings.find(({ check }) => check === 'database-role')).toMatchObject({ level: 'ok' });
  });

  it('refuses to run twice from one home, in one line', async () => {
    const second = start();
    expect(await second.exit).toBe(1);
    expect(second.output.trim()).toMatch(new RegExp(`^RTMS is already being run .*process ${program.child.pid}.*$`));
  });

  it('names the port that is in use and the variable to set, in one line', async () => {
    const { port } = new URL(ready.sfu);
    const second = start({ RTMS_HOME: join(folder, 'other'), SFU_PORT: port });
    expect(await second.exit).toBe(1);
    expect(second.output.trim()).toMatch(new RegExp(`^Port ${port} is in use.*SFU_PORT.*$`));
  });

  it('restarts a service that died', async () => {
    const died = program.started().find(each => each.command.includes('transcoder/dist/main.js'));
    expect(died).toBeDefined();
    process.kill(died!.pid, 'SIGKILL');
    await program.says('transcoder is ready again');
    expect((await fetch(`${ready.transcoder}/readyz`)).status).toBe(200);
    expect(program.output).toMatch(/transcoder ended \(SIGKILL\); starting it again in 0\.5 s/);
  });

  it('leaves nothing behind after Ctrl-C, and returns from its backup', async () => {
    const api = apiOf(ready);
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(ingest);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { recordingID, checksumSha256 } = await recordSome(api, meetingID, sessionID);

    const processes = program.started();
    const commands = processes.map(({ command }) => command).join('\n');
    for (const name of ['nats-server', 'mediasoup-worker']) expect(commands).toContain(name);
    program.child.kill('SIGINT');
    expect(await program.exit).toBe(0);
    await allGone(processes);
    expect(existsSync(join(home, 'ready.json'))).toBe(false);
    await encoder.vanish();

    const env = { RTMS_HOME: home, BACKUP: join(folder, 'backup.tar.gz') };
    await runFromPage('operations/backup.md', 'Saving an installation', { env });
    rmSync(home, { recursive: true });
    await runFromPage('operations/backup.md', 'Restoring an installation', { env });
    program = start();
    const restored = apiOf(await program.ready());
    expect(restored.credential).toBe(api.credential);
    expect(await downloadedChecksum(restored, recordingID)).toBe(checksumSha256);
    await restored.sessionBecomes(meetingID, sessionID, 'ended');
    await restored.openSession(meetingID);
  });

  it('starts again after it was killed, with the same credentials, and by https with a certificate', async () => {
    const processes = program.started();
    program.child.kill('SIGKILL');
    await allGone(processes);
    const { cert: TLS_CERT_FILE, key: TLS_KEY_FILE } = certificates.server;
    program = start({ TLS_CERT_FILE, TLS_KEY_FILE, NODE_EXTRA_CA_CERTS: certificates.ca }, ['npm', 'start']);
    const again = await program.ready();
    expect([again.apiKey, again.adminToken]).toEqual([ready.apiKey, ready.adminToken]);
    const ask = trustingFetch(certificates.ca);
    for (const address of [again.gateway, again.sfu, again.transcoder]) {
      expect(address).toMatch(/^https:/);
      expect(program.output).toContain(address);
      expect((await ask(`${address}/readyz`)).status).toBe(200);
    }
    const body = JSON.stringify({ email: ready.email, password: ready.password });
    const headers = { 'content-type': 'application/json', origin: again.gateway };
    const signedIn = await ask(`${again.gateway}/dashboard/api/session`, { method: 'POST', headers, body });
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/; Secure/);
  });

  it('ends everything when the npm that runs it is killed', async () => {
    const processes = program.started();
    program.child.kill('SIGKILL');
    await allGone(processes);
    expect(existsSync(join(home, 'ready.json'))).toBe(false);
  });
});

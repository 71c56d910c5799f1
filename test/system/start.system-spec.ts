import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, waitFor } from '@rtms/testing';
import type { RunningProcess } from './harness/processes.js';
import { StartedProgram, type ReadyFile } from './harness/started-program.js';
import { trustingFetch } from './harness/trusting-fetch.js';

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
  await waitFor(noneIsLeft, { timeoutMs: 60_000, what: 'the end of every process' });
}

async function end({ child, exit }: StartedProgram): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

describe('the start program', () => {
  let home: string;
  const programs: StartedProgram[] = [];

  function start(...options: [env?: Record<string, string>, command?: string[]]): StartedProgram {
    const program = new StartedProgram(home, ...options);
    programs.push(program);
    return program;
  }

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'rtms-home-'));
    chmodSync(home, 0o755);
  });

  afterEach(async () => {
    for (const program of programs.splice(0)) await end(program);
  });

  afterAll(() => rmSync(home, { recursive: true }));

  describe('on an empty home', () => {
    let program: StartedProgram;
    let ready: ReadyFile;

    beforeAll(async () => {
      program = new StartedProgram(home);
      ready = await program.ready();
    });
    afterAll(() => end(program));

    it('shows commands that work as they stand', async () => {
      const commands = program.output.split('\n').filter(line => /^(ROOM=\$\()?curl /.test(line));
      expect(commands).toHaveLength(3);
      const shell = spawn('sh', ['-ec', commands.join('\n')]);
      let answers = '';
      shell.stdout.on('data', data => (answers += String(data)));
      expect((await once(shell, 'close'))[0]).toBe(0);
      expect(answers).toMatch(/^room_/);
      expect(answers).toContain('"externalSession":');
      expect(answers).toContain('"externalSessions":[');
      expect(answers).not.toContain(ready.apiKey);
    });

    it('says where all is in a file for its owner only, and leaves nothing behind after Ctrl-C', async () => {
      expect(statSync(join(home, 'ready.json')).mode & 0o777).toBe(0o600);
      expect(Object.keys(ready).sort()).toEqual(
        [
          ...['gateway', 'sfu', 'transcoder', 'apiUserName', 'apiKey', 'adminToken'],
          ...['dashboard', 'email', 'password', 'adminEmail', 'adminPassword'],
        ].sort(),
      );
      for (const address of [ready.gateway, ready.sfu, ready.transcoder]) {
        expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        expect((await fetch(`${address}/readyz`)).status).toBe(200);
      }
      const processes = program.started();
      expect(processes.map(each => each.command).join('\n')).toMatch(/nats-server[\s\S]*mediasoup-worker/);
      program.child.kill('SIGINT');
      expect(await program.exit).toBe(0);
      await allGone(processes);
      expect(existsSync(join(home, 'ready.json'))).toBe(false);
    });
  });

  it('serves by https, and says so, when it is given a certificate', async () => {
    const certificates = makeCertificates();
    const other = mkdtempSync(join(tmpdir(), 'rtms-home-'));
    chmodSync(other, 0o755);
    const { cert: TLS_CERT_FILE, key: TLS_KEY_FILE } = certificates.server;
    const program = start({ RTMS_HOME: other, TLS_CERT_FILE, TLS_KEY_FILE, NODE_EXTRA_CA_CERTS: certificates.ca });
    const ready = await program.ready(other);
    const ask = trustingFetch(certificates.ca);
    for (const address of [ready.gateway, ready.sfu, ready.transcoder]) {
      expect(address).toMatch(/^https:/);
      expect(program.output).toContain(address);
      expect((await ask(`${address}/readyz`)).status).toBe(200);
    }
    const body = JSON.stringify({ email: ready.email, password: ready.password });
    const headers = { 'content-type': 'application/json', origin: ready.gateway };
    const signedIn = await ask(`${ready.gateway}/dashboard/api/session`, { method: 'POST', headers, body });
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/; Secure/);
    program.child.kill('SIGINT');
    await program.exit;
    rmSync(other, { recursive: true });
    certificates.remove();
  });

  it('starts again after it was killed, with the same credential', async () => {
    const killed = start();
    const first = await killed.ready();
    const processes = killed.started();
    killed.child.kill('SIGKILL');
    await allGone(processes);
    const second = await start().ready();
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.adminToken).toBe(first.adminToken);
  });

  it('ends everything when the npm that runs it is killed', async () => {
    const program = start({}, ['npm', 'start']);
    await program.ready();
    const processes = program.started();
    program.child.kill('SIGKILL');
    await allGone(processes);
    expect(existsSync(join(home, 'ready.json'))).toBe(false);
  });

  describe('that runs already', () => {
    let program: StartedProgram;
    let ready: ReadyFile;

    beforeAll(async () => {
      program = new StartedProgram(home);
      ready = await program.ready();
    });
    afterAll(() => end(program));

    it('refuses to run twice from one home, in one line', async () => {
      const second = start();
      expect(await second.exit).toBe(1);
      expect(second.output.trim()).toMatch(new RegExp(`^RTMS is already being run .*process ${program.child.pid}.*$`));
    });

    it('names the port that is in use and what to set, in one line', async () => {
      const { port } = new URL(ready.sfu);
      const other = mkdtempSync(join(tmpdir(), 'rtms-home-'));
      const second = start({ RTMS_HOME: other, SFU_PORT: port });
      expect(await second.exit).toBe(1);
      expect(second.output.trim()).toMatch(new RegExp(`^Port ${port} is in use.*SFU_PORT.*$`));
      rmSync(other, { recursive: true });
    });

    it('starts a service again that died', async () => {
      const died = program.started().find(each => each.command.includes('transcoder/dist/main.js'));
      expect(died).toBeDefined();
      process.kill(died!.pid, 'SIGKILL');
      await waitFor(() => program.output.includes('transcoder is ready again'), {
        timeoutMs: 60_000,
        what: 'its return',
      });
      expect((await fetch(`${ready.transcoder}/readyz`)).status).toBe(200);
      expect(program.output).toMatch(/transcoder ended \(SIGKILL\); starting it again in 0\.5 s/);
    });
  });
});

/** @weight 0.3 for 25 s */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { waitFor } from '@rtms/testing';
import { startStack, type Stack } from './harness/stack.js';

interface Finding {
  check: string;
  nodeID?: string;
  level: string;
  message: string;
  advice?: string;
}

interface Examination {
  exitCode: number | null;
  output: string;
}

/** An address of nobody's (RFC 5737). */
const nobodysAddress = '203.0.113.9';

describe('rtms-admin doctor', () => {
  let stack: Stack;
  let folder: string;
  let brokenFfmpeg: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-doctor-'));
    brokenFfmpeg = join(folder, 'broken');
    stack = await startStack({ env: { FFMPEG_PATH: await breakableFfmpeg() } });
    await waitFor(() => isKnown('transcoder-1'), { everyMs: 100, what: 'the transcoder to be known' });
    await waitFor(() => isKnown('sfu-1'), { everyMs: 100, what: 'the SFU node to be known' });
  });

  afterAll(async () => {
    await stack?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The system's FFmpeg without a file `broken`; with it, an FFmpeg without libx264. */
  async function breakableFfmpeg(): Promise<string> {
    const path = join(folder, 'ffmpeg');
    const script = [
      '#!/bin/sh',
      `[ -e '${brokenFfmpeg}' ] || exec ffmpeg "$@"`,
      'case "$*" in',
      '  *-version*) echo "ffmpeg version 9.9-without-x264" ;;',
      '  *-encoders*) echo " A....D aac                  AAC (Advanced Audio Coding)" ;;',
      '  *) echo "Unknown encoder" >&2; exit 1 ;;',
      'esac',
    ];
    await writeFile(path, `${script.join('\n')}\n`);
    await chmod(path, 0o755);
    return path;
  }

  const examine = (...options: string[]): Promise<Examination> => examineAt(stack.gateway.url, ...options);

  async function examineAt(gateway: string, ...options: string[]): Promise<Examination> {
    const child = spawn(process.execPath, ['apps/gateway/dist/admin/cli/rtms-admin.js', 'doctor', ...options], {
      env: { ...process.env, RTMS_ADMIN_URL: gateway, RTMS_ADMIN_TOKEN: stack.adminToken },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise<number | null>(resolve => child.once('exit', resolve));
    const output = await text(child.stdout);
    return { exitCode: await exited, output };
  }

  /** Examines until the report has all these lines: on a busy machine an answer may come too late. */
  function reportWith(lines: RegExp[], look = () => examine()): Promise<Examination> {
    const attempt = async () => {
      const examination = await look();
      const missing = lines.filter(line => !line.test(examination.output));
      if (missing.length > 0) throw new Error(`${missing.join()} not in ${examination.output}`);
      return examination;
    };
    return waitFor(attempt, { everyMs: 500, what: 'all lines of the report' });
  }

  async function findings(): Promise<Finding[]> {
    const { output } = await examine('--json');
    return (JSON.parse(output) as { findings: Finding[] }).findings;
  }

  const about = (all: Finding[], nodeID: string, check: string): Finding | undefined =>
    all.find(each => each.nodeID === nodeID && each.check === check);

  async function isKnown(nodeID: string): Promise<boolean> {
    const { nodes } = await stack.admin.expect(200, 'GET', '/admin/v1/nodes');
    return nodes.some(node => node.nodeID === nodeID);
  }

  it('finds no fault in a healthy platform, with a handshake and media ports reached from another node', async () => {
    // On a busy machine an answer may be late, which looks like a clock that is wrong.
    const isSound = async () => {
      const { exitCode, output } = await examine();
      const lines = output.trimEnd().split('\n');
      const faults = lines.filter(line => !/^(OK {3}|WARN \S+ disk )/.test(line));
      if (faults.length > 0 || exitCode !== 0) throw new Error(faults.join('\n'));
      return { output, lines };
    };
    const { output, lines } = await waitFor(isSound, { everyMs: 500, what: 'a healthy platform' });
    const checks = lines.map(line => /^\w+ +((?:sfu-1 |transcoder-1 )?\S+)/.exec(line)?.[1]);
    expect(checks).toEqual([
      'gateway',
      'database',
      'database-clock',
      'database-role',
      'migrations',
      'secrets',
      'bus',
      'jetstream',
      'admin-token',
      'node-addresses',
      'sfu-nodes',
      'transcoder-nodes',
      'ingest-nodes',
      'sfu-1 answer',
      'sfu-1 version',
      'sfu-1 clock',
      'sfu-1 dtls-handshake',
      'sfu-1 announced-address',
      'sfu-1 media-udp',
      'sfu-1 media-tcp',
      'transcoder-1 answer',
      'transcoder-1 version',
      'transcoder-1 clock',
      'transcoder-1 encoders',
      'transcoder-1 encoding',
      'transcoder-1 disk',
      'transcoder-1 disk',
      'transcoder-1 recordings',
    ]);
    expect(output).toMatch(/dtls-handshake +succeeds: 1 media worker/);
    expect(output).toMatch(/media-udp +\d+ reached from transcoder-1/);
    expect(output).toMatch(/media-tcp +\d+ reached from transcoder-1/);
    expect(output).not.toContain(stack.adminToken);
    expect(output).not.toContain(stack.databaseUrl);
  });

  it('names the announced address that no node reaches, without a long wait', async () => {
    const wrong = await stack.addSfu('sfu-2', { RTC_ANNOUNCED_ADDRESS: nobodysAddress });
    await waitFor(() => isKnown('sfu-2'), { everyMs: 100, what: 'the third node to be known' });
    const { exitCode } = await reportWith([
      /^FAIL sfu-2 media-udp .*203\.0\.113\.9:\d+ is not reached from sfu-1.*RTC_ANNOUNCED_ADDRESS/m,
      /^FAIL sfu-2 media-tcp .*203\.0\.113\.9:\d+ is not reached from sfu-1.*RTC_ANNOUNCED_ADDRESS/m,
      /^WARN sfu-2 announced-address +203\.0\.113\.9 is not an address of the machine/m,
      /^OK +sfu-2 dtls-handshake/m,
      /^OK +sfu-1 media-udp +\d+ reached from sfu-2/m,
    ]);
    expect(exitCode).toBe(1);
    await wrong.stop();
    await waitFor(async () => !(await isKnown('sfu-2')), { everyMs: 100, what: 'the third node to be gone' });
  });

  it('reports an FFmpeg without encoders', async () => {
    await writeFile(brokenFfmpeg, '');
    const tries = async () => {
      const all = await findings();
      const found = ['encoders', 'encoding'].map(check => about(all, 'transcoder-1', check));
      return found.every(each => each?.level === 'fail') ? found : undefined;
    };
    const found = await waitFor(tries, { everyMs: 500, what: 'the transcoder to try its FFmpeg' });
    await rm(brokenFfmpeg);
    expect(found.map(each => each?.message)).toEqual([
      'FFmpeg 9.9-without-x264 lacks libx264.',
      'FFmpeg cannot encode: Unknown encoder',
    ]);
  });

  /** Before the gateway notices: the transcoder is silent, and its lease ends some seconds later. */
  async function openSilencer(): Promise<Server> {
    const server = createServer((asked, answer) => {
      process.kill(stack.transcoder.pid, 'SIGSTOP');
      const { method, headers, url = '' } = asked;
      const passedOn = request(new URL(url, stack.gateway.url), { method, headers }, answered => {
        answer.writeHead(answered.statusCode ?? 0, answered.headers);
        answered.pipe(answer);
      });
      asked.pipe(passedOn);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  it('gives a line to a silent node, without a long wait', async () => {
    const look = async () => {
      await waitFor(() => isKnown('transcoder-1'), { everyMs: 100, what: 'the transcoder to be known' });
      const silencer = await openSilencer();
      const { port } = silencer.address() as AddressInfo;
      // Only an answer ends the silence, so the doctor must finish before.
      const examination = await examineAt(`http://127.0.0.1:${port}`);
      process.kill(stack.transcoder.pid, 'SIGCONT');
      silencer.close();
      return examination;
    };
    const { exitCode } = await reportWith(
      [
        /^FAIL transcoder-1 answer +does not answer: .+→/m,
        /^WARN sfu-1 media-udp +not tried: transcoder-1 could not try it/m,
        /^OK +sfu-1 dtls-handshake/m,
      ],
      look,
    );
    expect(exitCode).toBe(1);
  });

  it('reports that the bus is away', async () => {
    await stack.nats.stop();
    const isMissed = async () => {
      const { findings: all } = await stack.admin.expect(200, 'GET', '/admin/v1/doctor');
      return all.some(({ check, level }) => check === 'bus' && level === 'fail');
    };
    await waitFor(isMissed, { everyMs: 100, what: 'the gateway to miss the bus' });
    const { exitCode } = await reportWith([/^FAIL bus +NATS cannot be reached: .*→ Start NATS/m, /^OK +database /m]);
    expect(exitCode).toBe(1);
  });

  it('reports that the gateway is away, and names `--local`', async () => {
    await stack.gateway.stop();
    const { exitCode, output } = await examine();
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^FAIL gateway +No answer from .*--local/);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
  });
});

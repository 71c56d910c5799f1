/** @weight 0.3 for 37 s */
import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { freePort, makeCertificates, ManualClock, waitFor } from '@rtms/testing';
import { systemFfmpeg } from '../../../test/broadcast-bench.js';
import { restreamBenches, restreamRequest } from '../../../test/restream-bench.js';
import { FfmpegSender } from '../../sending/ffmpeg-sender.js';

const { open, target, remember } = restreamBenches();

/** Secrets of this run: another run on the machine may show its own in the command lines of its targets. */
const key = `key-${randomUUID()}`;
const passphrase = `phrase-${randomUUID()}`;

/** The command lines of all other processes that this process may read. */
async function commandLines(without: (number | undefined)[]): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && !without.includes(Number(name)));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

async function rtmpTarget() {
  const url = `rtmp://127.0.0.1:${await freePort()}/live/event`;
  return { url, listen: () => target(`${url}/${key}`, ['-listen', '1']) };
}

const rtmp = (url: string) => ({ protocol: 'rtmp' as const, url, streamKey: key });

/** A server that handles each connection, and counts them. */
async function tcpServer(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer(socket => {
    count += 1;
    sockets.add(socket.on('error', () => undefined));
    onSocket(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  remember({
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  });
  return { port, count: () => count };
}

function openSockets(): number {
  const names = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return names.filter(name => name.startsWith('socket:')).length;
}

describe('a restream by RTMP', () => {
  it('copies the picture, encodes the sound, and shows the key to nobody', async () => {
    const bench = await open();
    const { url, listen } = await rtmpTarget();
    const receiver = await listen();
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    await bench.fact('rs_1', 'restream.active');
    expect(bench.restreams.inventory()).toEqual([{ restreamID: 'rs_1', state: 'active' }]);
    const pid = bench.restreams.senderPids().get('rs_1');
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain('rtmp://127.0.0.1');
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(key);
    expect(await commandLines([receiver.pid])).not.toContain(key);
    await receiver.has(200_000);
    await bench.restreams.stop({ restreamID: 'rs_1' });
    const taken = await receiver.probe();
    expect(taken).toMatchObject({ video: 'h264', size: '320x180', audio: 'aac', errors: undefined });
    expect(taken.pictures).toBeGreaterThan(20);
    expect(taken.volume).toBeGreaterThan(-40);
    expect(bench.logged.all.join('\n')).not.toContain(key);
    expect(bench.restreams.load).toBe(0);
  });

  it('retries while the target does not listen, and sends once it does', async () => {
    const bench = await open();
    const { url, listen } = await rtmpTarget();
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    expect(await bench.fact('rs_1', 'restream.retrying')).toEqual({
      type: 'restream.retrying',
      problem: 'connection_refused',
      retries: 1,
    });
    const receiver = await listen();
    await bench.fact('rs_1', 'restream.active');
    await receiver.has(100_000);
  });

  it('says that the target refuses the key when it ends the connection', async () => {
    const bench = await open();
    const server = await tcpServer(socket => socket.once('data', () => socket.end()));
    const url = `rtmp://127.0.0.1:${server.port}/live`;
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'target_refused', retries: 1 });
    await waitFor(() => bench.facts.all.some(({ body }) => 'retries' in body && body.retries === 2));
    expect(server.count()).toBe(2);
    expect(bench.logged.all.join('\n')).not.toContain(key);
  });

  it('gives up a target that takes nothing for 15 s, but not after 15 s without a processor', async () => {
    const clock = new ManualClock();
    const bench = await open({ sender: new FfmpegSender(await systemFfmpeg(), clock, { hasSrt: true }) });
    const { url, listen } = await rtmpTarget();
    const receiver = await listen();
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    await bench.fact('rs_1', 'restream.active');
    const pid = bench.restreams.senderPids().get('rs_1')!;
    process.kill(pid, 'SIGSTOP');
    await clock.advance(2_000);
    clock.stall(20_000);
    await clock.advance(14_000);
    process.kill(pid, 'SIGCONT');
    await receiver.has(200_000);
    expect(bench.facts.all.map(({ body }) => body.type)).toEqual(['restream.active']);
    process.kill(pid, 'SIGSTOP');
    await clock.advance(30_000);
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'target_stalled' });
  });

  it('keeps sending to other targets while one dies, and returns to it', async () => {
    const bench = await open();
    const [first, second] = [await rtmpTarget(), await rtmpTarget()];
    const [dying, living] = [await first.listen(), await second.listen()];
    await bench.restreams.start(restreamRequest('rs_1', rtmp(first.url)));
    await bench.restreams.start(restreamRequest('rs_2', rtmp(second.url)));
    await Promise.all([bench.fact('rs_1', 'restream.active'), bench.fact('rs_2', 'restream.active')]);
    const [, pid] = [...bench.restreams.senderPids().values()];
    await dying.die();
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'target_closed', retries: 1 });
    const back = await first.listen();
    await back.has(100_000);
    await living.has(300_000);
    expect(bench.facts.all.filter(({ resourceID }) => resourceID === 'rs_2').map(({ body }) => body.type)).toEqual([
      'restream.active',
    ]);
    expect(bench.restreams.senderPids().get('rs_2')).toBe(pid);
    expect((await living.probe()).errors).toBeUndefined();
  });

  it('gets another process for a killed one, and leaves no process and no port', async () => {
    const bench = await open();
    const { url, listen } = await rtmpTarget();
    const before = openSockets();
    await listen();
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    await bench.fact('rs_1', 'restream.active');
    const pid = bench.restreams.senderPids().get('rs_1')!;
    process.kill(pid, 'SIGKILL');
    await bench.fact('rs_1', 'restream.retrying');
    await listen();
    const next = await waitFor(
      () => {
        const [now] = [...bench.restreams.senderPids().values()].filter(each => each !== pid);
        return bench.restreams.inventory()[0]?.state === 'active' ? now : undefined;
      },
      { what: 'another process to send' },
    );
    await Promise.all([bench.restreams.stop({ restreamID: 'rs_1' }), bench.restreams.stop({ restreamID: 'rs_1' })]);
    expect(() => process.kill(next, 0)).toThrow('ESRCH');
    await waitFor(() => openSockets() <= before);
    expect(bench.sfu.openFeeds.size).toBe(0);
  });
});

describe('a restream by RTMPS', () => {
  async function tlsTarget() {
    const { url, listen } = await rtmpTarget();
    const receiver = await listen();
    const { ca, cert, key: tlsKey } = await certificates();
    const { port } = new URL(url);
    const names: unknown[] = [];
    const server = createTlsServer({ cert, key: tlsKey }, socket => {
      names.push(socket.servername);
      const upstream = connect(Number(port), '127.0.0.1');
      for (const each of [socket, upstream]) each.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
      socket.once('close', () => upstream.destroy());
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    remember({ close: () => new Promise(resolve => server.close(resolve)) });
    const tlsPort = (server.address() as AddressInfo).port;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    return { receiver, ca, names, resolve, url: `rtmps://localhost:${tlsPort}/live/event` };
  }

  async function certificates() {
    const files = makeCertificates();
    remember({ close: () => Promise.resolve(files.remove()) });
    const paths = [files.ca, files.server.cert, files.server.key];
    const [ca, cert, tlsKey] = await Promise.all(paths.map(each => readFile(each, 'utf8')));
    return { ca: ca!, cert: cert!, key: tlsKey! };
  }

  it('verifies the name of the target', async () => {
    const { receiver, ca, names, resolve, url } = await tlsTarget();
    const bench = await open({ network: { resolve, tls: { ca } } });
    await bench.restreams.start(restreamRequest('rs_1', { protocol: 'rtmps', url, streamKey: key }));
    await bench.fact('rs_1', 'restream.active');
    await receiver.has(50_000);
    expect(names).toEqual(['localhost']);
  });

  it('refuses a certificate of an unknown authority', async () => {
    const { resolve, url } = await tlsTarget();
    const bench = await open({ network: { resolve } });
    await bench.restreams.start(restreamRequest('rs_1', { protocol: 'rtmps', url, streamKey: key }));
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'tls_failed' });
  });
});

describe('a restream by SRT', () => {
  const srt = (port: number, secret = passphrase) => ({
    ...{ protocol: 'srt' as const, url: `srt://127.0.0.1:${port}`, streamKey: key },
    passphrase: secret,
  });

  it('sends encrypted media under its stream ID, and shows no secret', async () => {
    const bench = await open();
    const port = await freePort();
    const receiver = await target(`srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`);
    await bench.restreams.start(restreamRequest('rs_1', srt(port)));
    await bench.fact('rs_1', 'restream.active');
    const lines = await commandLines([receiver.pid]);
    expect(lines).toContain(`srt://127.0.0.1:${port}`);
    expect(lines).not.toContain(passphrase);
    expect(lines).not.toContain(key);
    await receiver.has(200_000);
    await bench.restreams.stop({ restreamID: 'rs_1' });
    const taken = await receiver.probe();
    expect(taken).toMatchObject({ video: 'h264', size: '320x180', audio: 'aac' });
    expect(taken.volume).toBeGreaterThan(-40);
    expect(bench.logged.all.join('\n')).not.toMatch(new RegExp(`${passphrase}|${key}`));
  });

  it('says that a wrong passphrase is refused', async () => {
    const bench = await open();
    const port = await freePort();
    await target(`srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`);
    await bench.restreams.start(restreamRequest('rs_1', srt(port, 'another-phrase')));
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'target_refused' });
  });

  it('says that nobody answers', async () => {
    const bench = await open();
    await bench.restreams.start(restreamRequest('rs_1', srt(await freePort())));
    expect(await bench.fact('rs_1', 'restream.retrying')).toMatchObject({ problem: 'connection_timed_out' });
  });
});

describe('a restream to a private address', () => {
  it.each(['rtmp', 'rtmps', 'srt'] as const)('by %s fails at once without a connection', async protocol => {
    const server = await tcpServer(() => undefined);
    // The name had a public address when the gateway looked at it.
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const bench = await open({ network: { resolve } });
    const url = `${protocol}://live.example.com:${server.port}${protocol === 'srt' ? '' : '/live'}`;
    const request = restreamRequest('rs_1', { protocol, url, streamKey: key });
    await bench.restreams.start({ ...request, allowsPrivate: false });
    expect(await bench.fact('rs_1', 'restream.failed')).toEqual({
      type: 'restream.failed',
      reason: 'target_not_allowed',
      problem: 'target_not_allowed',
    });
    await waitFor(() => bench.restreams.load === 0);
    expect(server.count()).toBe(0);
  });
});

describe('a restream whose source the target cannot carry', () => {
  it('is refused, and leaves nothing open', async () => {
    const { RtpSource } = await import('../../../test/rtp-source.js');
    const bench = await open({ createSource: () => new RtpSource({ video: 'vp8', size: '320x180' }) });
    const start = bench.restreams.start(restreamRequest('rs_1', rtmp('rtmp://127.0.0.1:1/live')));
    await expect(start).rejects.toMatchObject({ reason: 'source_codec_unsupported' });
    expect([bench.restreams.load, bench.sfu.openFeeds.size]).toEqual([0, 0]);
  });
});

describe('a draining node', () => {
  it('closes the connection to the target before it reports', async () => {
    const bench = await open();
    const { url, listen } = await rtmpTarget();
    const receiver = await listen();
    await bench.restreams.start(restreamRequest('rs_1', rtmp(url)));
    await bench.fact('rs_1', 'restream.active');
    await bench.restreams.leaveAll();
    expect(bench.facts.all.at(-1)?.body).toEqual({ type: 'restream.retrying', problem: 'node_draining', retries: 0 });
    await waitFor(() => receiver.hasEnded);
    bench.drain.isDraining = true;
    expect(() => bench.restreams.start(restreamRequest('rs_2', rtmp(url)))).toThrow(/draining/);
  });
});

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { MediaEndpoint } from '@rtms/contracts';
import { EventLog, ManualClock } from '@rtms/testing';
import { connectivityCheck, tryEndpoint } from './try-endpoint.js';

const opened: (Socket | Server)[] = [];

/** Moves only by hand, so that a slow answer does not time out. */
let clock: ManualClock;
/** The checks that arrived. */
let checks: EventLog<Buffer>;

describe('a test of a media port', () => {
  beforeEach(() => {
    clock = new ManualClock();
    checks = new EventLog();
  });

  afterEach(() => {
    expect(clock.pending).toBe(0);
    for (const each of opened.splice(0)) each.close();
  });

  /** The success response to a check, without attributes. */
  function answerTo(check: Buffer): Buffer {
    const answer = Buffer.from(check.subarray(0, 20));
    answer.writeUInt16BE(0x0101, 0);
    answer.writeUInt16BE(0, 2);
    return answer;
  }

  const endpoint = (protocol: 'udp' | 'tcp', port: number): MediaEndpoint => ({
    protocol,
    address: '127.0.0.1',
    port,
    usernameFragment: 'fragment',
    password: 'a-password-of-ice',
  });

  async function openUdp(answer: (check: Buffer, count: number) => Buffer | undefined): Promise<MediaEndpoint> {
    const socket = createSocket('udp4');
    socket.on('message', (check, { port, address }) => {
      checks.add(check);
      const bytes = answer(check, checks.length);
      if (bytes) socket.send(bytes, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    opened.push(socket);
    return endpoint('udp', socket.address().port);
  }

  async function openTcp(answer: (framed: Buffer) => Buffer[] | 'hang up'): Promise<MediaEndpoint> {
    const server = createServer(connection => {
      connection.on('error', () => undefined);
      connection.on('data', framed => {
        checks.add(framed);
        const parts = answer(framed);
        if (parts === 'hang up') connection.destroy();
        else for (const part of parts) connection.write(part);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.push(server);
    return endpoint('tcp', (server.address() as AddressInfo).port);
  }

  it('succeeds when the check is answered over UDP', async () => {
    const { ok, detail } = await tryEndpoint(await openUdp(answerTo), clock);
    expect({ ok, detail }).toEqual({ ok: true, detail: '0 ms' });
  });

  it('repeats the check after 250 ms over UDP when the first packet is lost', async () => {
    const lossy = await openUdp((check, count) => (count > 1 ? answerTo(check) : undefined));
    const trial = tryEndpoint(lossy, clock);
    await checks.atLeast(1);
    await clock.advance(249);
    expect(checks.length).toBe(1);
    await clock.advance(1);
    expect(await trial).toMatchObject({ ok: true, detail: '250 ms' });
  });

  it('succeeds when the check is answered over TCP, in two parts', async () => {
    const split = await openTcp(framed => {
      const answer = Buffer.concat([Buffer.from([0, 20]), answerTo(framed.subarray(2))]);
      return [answer.subarray(0, 9), answer.subarray(9)];
    });
    expect(await tryEndpoint(split, clock)).toMatchObject({ ok: true, protocol: 'tcp', port: split.port });
  });

  it.each<[string, () => Promise<MediaEndpoint>]>([
    ['UDP', () => openUdp(() => undefined)],
    ['TCP', () => openTcp(() => [])],
  ])('fails after 2 s without an answer over %s', async (_protocol, open) => {
    let isOver = false;
    const trial = tryEndpoint(await open(), clock).finally(() => (isOver = true));
    await checks.atLeast(1);
    await clock.advance(1_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await trial).toMatchObject({ ok: false, detail: 'no answer within 2000 ms' });
  });

  it('ignores the answer to another check', async () => {
    const { bytes } = connectivityCheck('other', 'password');
    const confused = await openUdp((check, count) => answerTo(count === 1 ? bytes : check));
    const trial = tryEndpoint(confused, clock);
    await checks.atLeast(1);
    // The wrong answer precedes the right one on the same socket.
    await clock.advance(250);
    expect(await trial).toMatchObject({ ok: true, detail: '250 ms' });
  });

  it('fails at once for a closed port, and for a connection that is closed', async () => {
    expect(await tryEndpoint(endpoint('tcp', 1), clock)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await tryEndpoint(await openTcp(() => 'hang up'), clock)).toMatchObject({
      ok: false,
      detail: expect.not.stringContaining('no answer'),
    });
  });

  it('fails for a name that does not exist', async () => {
    const nobody = { ...endpoint('udp', 9), address: 'nobody.invalid' };
    expect(await tryEndpoint(nobody, clock)).toMatchObject({ ok: false, detail: expect.stringContaining('nobody') });
  });
});

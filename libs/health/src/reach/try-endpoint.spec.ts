import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { MediaEndpoint } from '@rtms/contracts';
import { connectivityCheck } from './stun-message.js';
import { tryEndpoint } from './try-endpoint.js';

const withinMs = 300;
/** For what is answered, however much else the machine has to do. */
const patientMs = 20_000;
const opened: (Socket | Server)[] = [];

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** The good answer to a check, as far as the one who asked looks. */
function answerTo(check: Buffer): Buffer {
  const answer = Buffer.from(check.subarray(0, 20));
  answer.writeUInt16BE(0x0101, 0);
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
  let count = 0;
  socket.on('message', (check, { port, address }) => {
    const bytes = answer(check, ++count);
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

describe('a try to reach a media port', () => {
  it('succeeds when the check is answered over UDP', async () => {
    const { ok, detail } = await tryEndpoint(await openUdp(answerTo), patientMs);
    expect({ ok, detail }).toEqual({ ok: true, detail: expect.stringMatching(/^\d+ ms$/) });
  });

  it('succeeds over UDP when the first packet is lost', async () => {
    const lossy = await openUdp((check, count) => (count > 1 ? answerTo(check) : undefined));
    expect(await tryEndpoint(lossy, patientMs)).toMatchObject({ ok: true });
  });

  it('succeeds when the check is answered over TCP, in two parts', async () => {
    const split = await openTcp(framed => {
      const answer = Buffer.concat([Buffer.from([0, 20]), answerTo(framed.subarray(2))]);
      return [answer.subarray(0, 9), answer.subarray(9)];
    });
    expect(await tryEndpoint(split, patientMs)).toMatchObject({ ok: true, protocol: 'tcp', port: split.port });
  });

  it('fails in time when nothing is answered', async () => {
    const silent = [await openUdp(() => undefined), await openTcp(() => [])];
    for (const each of silent) {
      expect(await tryEndpoint(each, withinMs)).toMatchObject({ ok: false, detail: 'no answer within 300 ms' });
    }
  });

  it('does not take the answer to another check', async () => {
    const { bytes } = connectivityCheck('other', 'password');
    const confused = await openUdp(() => answerTo(bytes));
    expect(await tryEndpoint(confused, withinMs)).toMatchObject({ ok: false });
  });

  it('fails at once where nobody listens, or who hangs up', async () => {
    expect(await tryEndpoint(endpoint('tcp', 1), patientMs)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await tryEndpoint(await openTcp(() => 'hang up'), patientMs)).toMatchObject({
      ok: false,
      detail: expect.not.stringContaining('no answer'),
    });
  });

  it('fails for a name that is nobody’s', async () => {
    const nobody = { ...endpoint('udp', 9), address: 'nobody.invalid' };
    expect(await tryEndpoint(nobody, 2_000)).toMatchObject({ ok: false });
  });
});

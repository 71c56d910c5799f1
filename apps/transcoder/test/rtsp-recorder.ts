import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Begins a packet among the requests (RFC 2326, section 10.12). */
const packetMark = 0x24;

/**
 * Runs FFmpeg, which publishes by RTSP with the packets in the connection of its requests: without loss, and as fast as FFmpeg encodes. Resolves
 * with the packets of each channel: of stream n, RTP has channel 2n, and RTCP 2n + 1.
 *
 * @param args FFmpeg's arguments but the output
 */
export async function recordRtsp(args: readonly string[]): Promise<Map<number, Buffer[]>> {
  const packets = new Map<number, Buffer[]>();
  const server = createServer(socket => {
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', chunk => {
      rest = Buffer.concat([rest, chunk]);
      for (let taken = 1; taken > 0; rest = rest.subarray(taken))
        taken = rest[0] === packetMark ? takePacket(rest, packets) : answerRequest(rest, socket);
    });
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const output = ['-f', 'rtsp', '-rtsp_transport', 'tcp', '-pkt_size', '1200', `rtsp://127.0.0.1:${port}/`];
  try {
    await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', ...args, ...output]);
  } finally {
    server.close();
    await once(server, 'close');
  }
  return packets;
}

/** Returns the number of bytes that it took; 0 if more must come. */
function takePacket(data: Buffer, packets: Map<number, Buffer[]>): number {
  const length = data.length < 4 ? Infinity : 4 + data.readUInt16BE(2);
  if (data.length < length) return 0;
  const channel = data[1] ?? 0;
  const earlier = packets.get(channel) ?? [];
  packets.set(channel, earlier);
  earlier.push(data.subarray(4, length));
  return length;
}

/** Returns the number of bytes that it took; 0 if more must come. */
function answerRequest(data: Buffer, socket: Socket): number {
  const headEnd = data.indexOf('\r\n\r\n') + 4;
  if (headEnd < 4) return 0;
  const head = data.subarray(0, headEnd).toString();
  const valueOf = (name: string) => new RegExp(`^${name}: *(.*)\r$`, 'im').exec(head)?.[1];
  const length = headEnd + Number(valueOf('Content-Length') ?? 0);
  if (data.length < length) return 0;
  const transport = valueOf('Transport');
  const headers = [`CSeq: ${valueOf('CSeq')}`, 'Session: 1', ...(transport ? [`Transport: ${transport}`] : [])];
  socket.write(`RTSP/1.0 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`);
  return length;
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { videoStreams, type StreamName, type TimeReport } from '@rtms/whip-publisher';

export interface RtspListener {
  /** All streams are announced. `profileLevelID`: of the first H264, six hexadecimal digits. */
  onMedia(profileLevelID: string | undefined): void;
  onPacket(stream: StreamName, packet: Buffer): void;
  /** A sender report. All streams have the same clock. */
  onReport(stream: StreamName, report: TimeReport): void;
}

/** FFmpeg sends headers of some hundred bytes. */
const mostHeaderBytes = 8_192;

/**
 * Takes the RTP packets of one FFmpeg by RTSP over TCP (RFC 2326, section 10.12). UDP would lose packets, because FFmpeg sends all packets of a
 * picture at once. Only a client that knows the random path may connect, and only one.
 */
export class RtspReceiver {
  private client: Socket | undefined;
  private rest: Buffer = Buffer.alloc(0);
  /** In the order of the announcement. The first video is the largest. */
  private readonly streams: StreamName[] = [];

  private constructor(
    private readonly server: Server,
    readonly address: string,
    private readonly listener: RtspListener,
  ) {
    server.on('connection', socket => this.take(socket));
    server.on('error', () => undefined);
  }

  static async open(listener: RtspListener): Promise<RtspReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new RtspReceiver(server, `rtsp://127.0.0.1:${port}/${randomBytes(12).toString('hex')}`, listener);
  }

  /** Safe to call twice. */
  close(): void {
    this.server.close();
    this.client?.destroy();
  }

  private take(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.client) return void socket.destroy();
    this.client = socket;
    socket.setNoDelay(true);
    socket.on('data', data => {
      this.rest = this.rest.length === 0 ? data : Buffer.concat([this.rest, data]);
      while (this.readOne(socket));
    });
  }

  /** Reads one packet or request. Returns whether there was a whole one. */
  private readOne(socket: Socket): boolean {
    if (this.rest[0] === 0x24) return this.readPacket();
    const end = this.rest.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.rest.length > mostHeaderBytes) socket.destroy();
      return false;
    }
    const head = this.rest.toString('latin1', 0, end);
    const bodyEnd = end + 4 + Number(/^Content-Length: (\d{1,5})$/im.exec(head)?.[1] ?? 0);
    if (this.rest.length < bodyEnd) return false;
    const body = this.rest.toString('latin1', end + 4, bodyEnd);
    this.rest = this.rest.subarray(bodyEnd);
    this.answer(socket, head, body);
    return !socket.destroyed;
  }

  /** `$`, the channel, and the length before each packet. Odd channels have RTCP. */
  private readPacket(): boolean {
    if (this.rest.length < 4) return false;
    const end = 4 + this.rest.readUInt16BE(2);
    if (this.rest.length < end) return false;
    const channel = this.rest[1] ?? 0;
    const packet = this.rest.subarray(4, end);
    this.rest = this.rest.subarray(end);
    const stream = this.streams[channel >> 1];
    if (stream === undefined || packet.length < 12) return true;
    if (channel % 2 === 0) this.listener.onPacket(stream, packet);
    else if (packet[1] === 200 && packet.length >= 20) this.listener.onReport(stream, senderReportOf(packet));
    return true;
  }

  private answer(socket: Socket, head: string, body: string): void {
    const [, method = '', address = ''] = /^(\w+) (\S+) RTSP\/1\.0/.exec(head) ?? [];
    if (!address.startsWith(this.address)) return void socket.destroy();
    const header = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
    if (method === 'ANNOUNCE') {
      this.streams.push(...streamsIn(body));
      this.listener.onMedia(/profile-level-id=([0-9A-F]{6})/i.exec(body)?.[1]?.toLowerCase());
    }
    const transport = header('Transport');
    const lines = [`CSeq: ${header('CSeq') ?? '0'}`, 'Session: 1', ...(transport ? [`Transport: ${transport}`] : [])];
    socket.write(`RTSP/1.0 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`);
  }
}

function streamsIn(sdp: string): StreamName[] {
  const [...videos] = videoStreams;
  const kinds = [...sdp.matchAll(/^m=(audio|video) /gm)].map(([, kind]) => kind);
  return kinds.flatMap(kind => (kind === 'audio' ? kind : (videos.shift() ?? [])));
}

function senderReportOf(packet: Buffer): TimeReport {
  const ntpMs = packet.readUInt32BE(8) * 1000 + (packet.readUInt32BE(12) * 1000) / 2 ** 32;
  return { ntpMs, rtpTimestamp: packet.readUInt32BE(16) };
}

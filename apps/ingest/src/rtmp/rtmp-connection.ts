import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { lateTicks, type Clock, type Timer } from '@rtms/clock';
import { decodeAmf, encodeAmf, type AmfValue } from './amf0.js';
import {
  ChunkReader,
  leastChunkSize,
  messageTypes,
  RtmpError,
  writeControl,
  writeMessage,
  type RtmpMessage,
} from './chunk-stream.js';

const version = 3;
const handshakeBytes = 1_536;
/** Handshake and commands of an encoder take two round trips, and a stream key some more. */
const openingMs = 10_000;
/** An encoder that sends nothing for so long is gone. Its connection would block its own return. */
const silentMs = 8_000;
const lookEveryMs = 1_000;
/** FFmpeg takes no media for so long: it hangs. Nobody reads the connection meanwhile, so its end would not be seen. */
const stuckMs = 30_000;
/** A peer that guesses stream keys waits for each answer. */
const wrongKeyMs = 1_000;
/** Encoders send about 200 messages a second, and some more after a pause. */
const mostMessagesPerSecond = 5_000;
/** Answers have some hundred bytes. A peer that does not read them is hostile. */
const mostUnreadBytes = 64 * 1024;
/** Commands have some hundred bytes. */
const mostBytesBefore = 16 * 1024;
/** A keyframe of 4K video has about one megabyte. */
const mostBytesAfter = 8 * 1024 * 1024;
const windowBytes = 2_500_000;
const application = 'live';

export interface RtmpPublication {
  /** An audio, video or data message. Returns false when the encoder should wait until `resume`. */
  take(message: RtmpMessage): boolean;
}

export interface RtmpConnectionParts {
  clock: Clock;
  /** Decides whether the key may publish. Rejects to refuse it; the encoder sees the message. */
  publish: (streamKey: string, connection: RtmpConnection) => Promise<RtmpPublication>;
}

type State = 'version' | 'handshake' | 'acknowledged' | 'commands' | 'deciding' | 'publishing' | 'closed';

/** One connection of an encoder (RTMP 1.0): handshake, `connect`, `createStream`, `publish`, then media. Nothing can be played. */
export class RtmpConnection {
  private state: State = 'version';
  private early: Buffer = Buffer.alloc(0);
  private readonly reader = new ChunkReader(mostBytesBefore);
  private publication: RtmpPublication | undefined;
  private received = 0;
  private acknowledgedAt = 0;
  private heardAt: number;
  private isPaused = false;
  /** In the current second. */
  private messages = 0;
  private readonly timers: Timer[];
  readonly closed: Promise<void>;

  constructor(
    private readonly socket: Socket,
    private readonly parts: RtmpConnectionParts,
  ) {
    const { clock } = parts;
    this.heardAt = clock.now();
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', data => this.receive(data));
    this.closed = new Promise(resolve => socket.once('close', () => resolve(this.onClose())));
    const isLate = lateTicks(clock, lookEveryMs);
    this.timers = [
      clock.after(openingMs, () => this.state !== 'publishing' && this.close()),
      clock.every(lookEveryMs, () => {
        this.messages = 0;
        // This process was blocked, and media may wait.
        if (isLate()) this.heardAt = clock.now();
        if (clock.now() - this.heardAt > (this.isPaused ? stuckMs : silentMs)) this.close();
      }),
    ];
  }

  /** Safe to call twice. */
  close(): void {
    this.socket.destroy();
  }

  /** Tells the encoder why it may not publish, and closes the connection. */
  refuse(code: string, description: string): void {
    if (this.state === 'closed') return;
    this.resume();
    this.command(1, 'onStatus', 0, null, { level: 'error', code, description });
    this.socket.end();
    this.state = 'closed';
    // The encoder may not close its side.
    this.timers.push(this.parts.clock.after(1_000, () => this.close()));
  }

  resume(): void {
    this.isPaused = false;
    this.heardAt = this.parts.clock.now();
    this.socket.resume();
  }

  private onClose(): void {
    this.state = 'closed';
    for (const timer of this.timers) timer.cancel();
  }

  private receive(data: Buffer): void {
    if (this.state === 'closed') return;
    this.heardAt = this.parts.clock.now();
    try {
      this.acknowledge(data.length);
      const chunks = this.isOpen ? data : this.shakeHands(data);
      if (chunks.length === 0) return;
      for (const message of this.reader.read(chunks)) {
        this.messages += 1;
        if (this.messages > mostMessagesPerSecond) throw new RtmpError('too many messages');
        this.handle(message);
      }
    } catch {
      // Hostile or broken: there is nobody to explain it to.
      this.close();
    }
  }

  private get isOpen(): boolean {
    return ['commands', 'deciding', 'publishing'].includes(this.state);
  }

  /** The simple handshake: C0, C1 → S0, S1, S2 → C2. Returns the bytes behind it. */
  private shakeHands(data: Buffer): Buffer {
    this.early = Buffer.concat([this.early, data]);
    if (this.state === 'version') {
      if (this.early[0] !== version) throw new RtmpError('another protocol');
      this.state = 'handshake';
    }
    if (this.state === 'handshake' && this.early.length >= 1 + handshakeBytes) {
      const theirs = this.early.subarray(1, 1 + handshakeBytes);
      const ours = Buffer.concat([Buffer.alloc(8), randomBytes(handshakeBytes - 8)]);
      this.socket.write(Buffer.concat([Buffer.of(version), ours, theirs]));
      this.state = 'acknowledged';
    }
    const end = 1 + 2 * handshakeBytes;
    if (this.state !== 'acknowledged' || this.early.length < end) return Buffer.alloc(0);
    const behind = this.early.subarray(end);
    this.early = Buffer.alloc(0);
    this.state = 'commands';
    return behind;
  }

  /** Encoders stop sending when nobody acknowledges. */
  private acknowledge(bytes: number): void {
    this.received = (this.received + bytes) >>> 0;
    if ((this.received - this.acknowledgedAt) >>> 0 < windowBytes || !this.isOpen) return;
    this.acknowledgedAt = this.received;
    this.answer(writeControl(messageTypes.acknowledgement, this.received));
  }

  private handle(message: RtmpMessage): void {
    const { type, payload } = message;
    switch (type) {
      case messageTypes.setChunkSize:
        this.reader.chunkSize = chunkSizeOf(payload);
        return;
      case messageTypes.abort:
        return this.reader.abort(payload.length >= 4 ? payload.readUInt32BE() : -1);
      case messageTypes.command:
        return this.onCommand(decodeAmf(payload));
      case messageTypes.audio:
      case messageTypes.video:
      case messageTypes.data:
        if (this.publication && !this.publication.take(message)) this.pause();
        return;
      default:
        return;
    }
  }

  private pause(): void {
    this.isPaused = true;
    this.socket.pause();
  }

  private onCommand([name, transaction, ...values]: AmfValue[]): void {
    const id = typeof transaction === 'number' ? transaction : 0;
    if (typeof name === 'string') this.commands.get(name)?.(id, values);
  }

  /** Other commands need no answer. */
  private readonly commands = new Map<string, (id: number, values: AmfValue[]) => void>([
    ['connect', (id, [options]) => this.onConnect(id, options)],
    ['createStream', id => this.command(0, '_result', id, null, 1)],
    ['releaseStream', id => this.command(0, '_result', id, null, undefined)],
    ['FCPublish', id => this.command(0, '_result', id, null, undefined)],
    ['publish', (_id, [, streamKey]) => this.onPublish(streamKey)],
    ...['FCUnpublish', 'deleteStream', 'closeStream'].map(name => [name, () => this.close()] as const),
    ...['play', 'play2'].map(
      name => [name, () => this.refuse('NetStream.Play.Failed', 'Nothing can be played here.')] as const,
    ),
  ]);

  private onConnect(id: number, options: AmfValue): void {
    const app = typeof options === 'object' && options !== null && !Array.isArray(options) ? options['app'] : undefined;
    if (typeof app !== 'string' || app.replace(/\/+$/, '') !== application) {
      const description = `The address must end with /${application}.`;
      this.command(0, '_error', id, null, { level: 'error', code: 'NetConnection.Connect.InvalidApp', description });
      return void this.socket.end();
    }
    this.answer(writeControl(messageTypes.windowAcknowledgementSize, windowBytes));
    this.answer(writeControl(messageTypes.setPeerBandwidth, windowBytes, 2));
    const success = { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.' };
    this.command(0, '_result', id, { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }, { ...success, objectEncoding: 0 });
  }

  private onPublish(streamKey: AmfValue): void {
    if (this.state !== 'commands') throw new RtmpError('a second publication');
    if (typeof streamKey !== 'string' || streamKey === '') return this.refuse(badName, 'The stream key is missing.');
    this.state = 'deciding';
    // Media that the encoder sends before the answer would be lost.
    this.pause();
    this.parts.publish(streamKey, this).then(
      publication => this.accept(publication),
      (error: unknown) => {
        const refuse = (): void => this.refuse(badName, error instanceof Error ? error.message : 'refused');
        if (this.state !== 'closed') this.timers.push(this.parts.clock.after(wrongKeyMs, refuse));
      },
    );
  }

  private accept(publication: RtmpPublication): void {
    if (this.state !== 'deciding') return;
    this.state = 'publishing';
    this.publication = publication;
    this.reader.mostBytes = mostBytesAfter;
    this.command(1, 'onStatus', 0, null, {
      ...{ level: 'status', code: 'NetStream.Publish.Start', description: 'Publishing.' },
    });
    this.resume();
  }

  private command(streamID: number, ...values: AmfValue[]): void {
    this.answer(writeMessage({ type: messageTypes.command, streamID, payload: encodeAmf(...values) }));
  }

  private answer(bytes: Buffer): void {
    if (this.socket.writableLength > mostUnreadBytes) this.close();
    else if (this.socket.writable) this.socket.write(bytes);
  }
}

/** Encoders use 4,096 to 65,536 bytes. A whole chunk is held in memory. */
const largestChunk = 1024 * 1024;

const badName = 'NetStream.Publish.BadName';

function chunkSizeOf(payload: Buffer): number {
  const size = payload.length >= 4 ? payload.readUInt32BE() : 0;
  if (size < leastChunkSize || size > largestChunk) throw new RtmpError('the chunk size is out of range');
  return size;
}

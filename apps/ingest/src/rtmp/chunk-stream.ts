/** Types of RTMP messages (RTMP 1.0, sections 5.4 and 7.1). */
export const messageTypes = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  data: 18,
  command: 20,
} as const;

export interface RtmpMessage {
  type: number;
  /** Milliseconds. */
  timestamp: number;
  streamID: number;
  payload: Buffer;
}

/** The peer broke the protocol or a limit. */
export class RtmpError extends Error {
  override readonly name = 'RtmpError';
}

interface Chunked {
  timestamp: number;
  delta: number;
  length: number;
  type: number;
  streamID: number;
  hasExtended: boolean;
  parts: Buffer[];
  bytes: number;
}

type ChunkFormat = 0 | 1 | 2 | 3;

interface ChunkHead {
  id: number;
  stream: Chunked;
  format: ChunkFormat;
  time: number;
  /** Of all headers. */
  bytes: number;
}

/** Encoders use about five. */
const mostChunkStreams = 16;
const headerBytes = [11, 7, 3, 0] as const;
const extended = 0xffffff;
/** Also the size before `setChunkSize`. Smaller chunks would cost more memory than their bytes. */
export const leastChunkSize = 128;

/**
 * Puts messages together from chunks (RTMP 1.0, section 5.3). Holds no more than `mostBytes` of unfinished messages, whatever lengths
 * the chunks declare.
 */
export class ChunkReader {
  private readonly streams = new Map<number, Chunked>();
  private rest: Buffer = Buffer.alloc(0);
  /** Data behind `rest` that completes no chunk yet. */
  private behind: Buffer[] = [];
  private behindBytes = 0;
  /** Bytes from the begin of `rest` to the end of its chunk, as far as they are known. */
  private wantedBytes = 0;
  private heldBytes = 0;
  chunkSize = leastChunkSize;

  /** @param mostBytes small until the peer has proved that it may publish */
  constructor(public mostBytes: number) {}

  /** Returns the messages that are complete now. Throws `RtmpError`. */
  *read(data: Buffer): Generator<RtmpMessage> {
    this.behind.push(data);
    this.behindBytes += data.length;
    if (this.rest.length + this.behindBytes < this.wantedBytes) return;
    this.rest = this.rest.length === 0 && this.behind.length === 1 ? data : Buffer.concat([this.rest, ...this.behind]);
    this.behind = [];
    this.behindBytes = 0;
    this.wantedBytes = 0;
    for (;;) {
      const step = this.readChunk();
      if (step === 'incomplete') break;
      if (step) yield step;
    }
  }

  /** Forgets the unfinished message of a chunk stream. */
  abort(id: number): void {
    const stream = this.streams.get(id);
    if (stream) this.finish(stream);
  }

  /** Returns a message that this chunk completes, undefined when it completes none. */
  private readChunk(): RtmpMessage | 'incomplete' | undefined {
    const head = this.readHead();
    if (head === undefined) return 'incomplete';
    const { id, stream, format, time, bytes } = head;
    if (stream.length > this.mostBytes) throw new RtmpError('a message is too long');
    const size = Math.min(this.chunkSize, stream.length - stream.bytes);
    const end = bytes + size;
    if (this.rest.length < end) {
      this.wantedBytes = end;
      return 'incomplete';
    }
    if (stream.bytes === 0) this.begin(stream, format, time);
    this.heldBytes += size;
    if (this.heldBytes > this.mostBytes) throw new RtmpError('too many unfinished messages');
    const part = this.rest.subarray(bytes, end);
    stream.bytes += size;
    // A part that is kept would hold the whole buffer of the socket.
    stream.parts.push(stream.bytes < stream.length ? Buffer.from(part) : part);
    this.rest = this.rest.subarray(end);
    this.streams.set(id, stream);
    return stream.bytes < stream.length ? undefined : this.complete(stream);
  }

  /** Reads the basic header, the message header and the extended time; undefined while they are incomplete. */
  private readHead(): ChunkHead | undefined {
    const { rest } = this;
    const basic = readBasicHeader(rest);
    if (!basic) return undefined;
    const { id, format, basicBytes } = basic;
    const headEnd = basicBytes + headerBytes[format];
    if (rest.length < headEnd) return undefined;
    const stream = this.streamOf(id, format);
    const field = format === 3 ? undefined : rest.readUIntBE(basicBytes, 3);
    if (format <= 1) {
      stream.length = rest.readUIntBE(basicBytes + 3, 3);
      stream.type = rest.readUInt8(basicBytes + 6);
    }
    if (format === 0) stream.streamID = rest.readUInt32LE(basicBytes + 7);
    if (field !== undefined) stream.hasExtended = field === extended;
    if (!stream.hasExtended) return { id, stream, format, time: field ?? stream.delta, bytes: headEnd };
    if (rest.length < headEnd + 4) return undefined;
    return { id, stream, format, time: rest.readUInt32BE(headEnd), bytes: headEnd + 4 };
  }

  /** A copy, because the chunk may be incomplete and is then read again. */
  private streamOf(id: number, format: ChunkFormat): Chunked {
    const known = this.streams.get(id);
    if (!known) {
      if (format !== 0) throw new RtmpError('a chunk continues an unknown stream');
      if (this.streams.size >= mostChunkStreams) throw new RtmpError('too many chunk streams');
      return emptyStream();
    }
    if (known.bytes > 0 && format !== 3) throw new RtmpError('a message begins before the former one is complete');
    return { ...known };
  }

  private begin(stream: Chunked, format: ChunkFormat, time: number): void {
    // A message without its own time continues with the last difference, or with the last time of a whole header.
    if (format === 0) Object.assign(stream, { timestamp: time, delta: 0 });
    else Object.assign(stream, { timestamp: (stream.timestamp + time) >>> 0, delta: time });
  }

  private complete(stream: Chunked): RtmpMessage {
    const { type, timestamp, streamID, parts } = stream;
    const payload = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    this.finish(stream);
    return { type, timestamp, streamID, payload };
  }

  private finish(stream: Chunked): void {
    this.heldBytes -= stream.bytes;
    stream.parts = [];
    stream.bytes = 0;
  }
}

/** One to three bytes with format and ID (section 5.3.1.1); undefined while they are incomplete. */
function readBasicHeader(bytes: Buffer): { id: number; format: ChunkFormat; basicBytes: number } | undefined {
  const [first] = bytes;
  if (first === undefined) return undefined;
  const format = (first >> 6) as ChunkFormat;
  const low = first & 0x3f;
  if (low > 1) return { id: low, format, basicBytes: 1 };
  const basicBytes = low === 0 ? 2 : 3;
  if (bytes.length < basicBytes) return undefined;
  return { id: 64 + (low === 0 ? bytes.readUInt8(1) : bytes.readUInt16LE(1)), format, basicBytes };
}

function emptyStream(): Chunked {
  return { timestamp: 0, delta: 0, length: 0, type: 0, streamID: 0, hasExtended: false, parts: [], bytes: 0 };
}

/** Writes a message of at most 128 bytes a chunk, which every peer accepts without agreement. */
export function writeMessage({ type, streamID, payload }: Omit<RtmpMessage, 'timestamp'>): Buffer {
  const id = type === messageTypes.command ? 3 : 2;
  const header = Buffer.alloc(12);
  header[0] = id;
  header.writeUIntBE(payload.length, 4, 3);
  header[7] = type;
  header.writeUInt32LE(streamID, 8);
  const parts: Buffer[] = [header];
  for (let at = 0; at < payload.length; at += leastChunkSize) {
    if (at > 0) parts.push(Buffer.of(0xc0 | id));
    parts.push(payload.subarray(at, at + leastChunkSize));
  }
  return Buffer.concat(parts);
}

/** Writes a control message with one number. */
export function writeControl(type: number, value: number, ...more: number[]): Buffer {
  const payload = Buffer.alloc(4 + more.length);
  payload.writeUInt32BE(value >>> 0);
  payload.set(more, 4);
  return writeMessage({ type, streamID: 0, payload });
}

import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const magicCookie = 0x2112a442;
/** Length of the header in bytes (RFC 8489 section 5). */
export const stunHeaderBytes = 20;
const fingerprintMask = 0x5354554e;

/** Types of attributes (RFC 8489 section 18.3, RFC 8656 section 18, RFC 8445 section 16.1). */
export const stunAttributes = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  xorPeerAddress: 0x0012,
  realm: 0x0014,
  nonce: 0x0015,
  requestedTransport: 0x0019,
  priority: 0x0024,
  fingerprint: 0x8028,
  iceControlling: 0x802a,
} as const;

export interface StunRequest {
  type: number;
  attributes: readonly (readonly [type: number, value: Buffer])[];
  /** Of MESSAGE-INTEGRITY, which is absent without a key. */
  key?: string | Buffer | undefined;
}

export interface WrittenStun {
  transactionID: Buffer;
  bytes: Buffer;
}

export interface StunMessage {
  type: number;
  transactionID: Buffer;
  attributes: ReadonlyMap<number, Buffer>;
}

/** Writes a message with FINGERPRINT and a random transaction ID. */
export function writeStun({ type, attributes, key }: StunRequest): WrittenStun {
  const transactionID = randomBytes(12);
  const head = (length: number): Buffer => header(type, length, transactionID);
  let body = Buffer.concat(attributes.map(([name, value]) => attribute(name, value)));
  // The length in the header includes the attribute that is computed from it (RFC 8489 sections 14.5 and 14.7).
  if (key !== undefined) {
    const digest = createHmac('sha1', key)
      .update(head(body.length + 24))
      .update(body)
      .digest();
    body = Buffer.concat([body, attribute(stunAttributes.messageIntegrity, digest)]);
  }
  const message = Buffer.concat([head(body.length + 8), body]);
  const value = Buffer.alloc(4);
  value.writeUInt32BE((crc32(message) ^ fingerprintMask) >>> 0);
  return { transactionID, bytes: Buffer.concat([message, attribute(stunAttributes.fingerprint, value)]) };
}

/** The message at the start of the bytes; undefined if the bytes hold no whole message. */
export function readStun(bytes: Buffer): StunMessage | undefined {
  if (bytes.length < stunHeaderBytes || bytes.readUInt32BE(4) !== magicCookie) return undefined;
  const end = stunHeaderBytes + bytes.readUInt16BE(2);
  if (bytes.length < end) return undefined;
  const attributes = new Map<number, Buffer>();
  for (let at = stunHeaderBytes; at + 4 <= end;) {
    const length = bytes.readUInt16BE(at + 2);
    attributes.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, Math.min(at + 4 + length, end)));
    at += 4 + length + paddingOf(length);
  }
  return { type: bytes.readUInt16BE(0), transactionID: bytes.subarray(8, stunHeaderBytes), attributes };
}

/** XOR-MAPPED-ADDRESS and its kin for IPv4 (RFC 8489 section 14.2). */
export function xorAddress(address: string, port: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeUInt8(1, 1);
  value.writeUInt16BE(port ^ (magicCookie >>> 16), 2);
  const number = Buffer.from(address.split('.').map(Number)).readUInt32BE();
  value.writeUInt32BE((number ^ magicCookie) >>> 0, 4);
  return value;
}

function header(type: number, length: number, transactionID: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(magicCookie, 4);
  return Buffer.concat([bytes, transactionID]);
}

/** Pads a value to a multiple of four bytes. */
function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc(paddingOf(value.length))]);
}

function paddingOf(length: number): number {
  return (4 - (length % 4)) % 4;
}

import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const magicCookie = 0x2112a442;
const bindingRequest = 0x0001;
const bindingResponse = 0x0101;
/** Of the header, RFC 8489 section 5. */
const headerBytes = 20;
const fingerprintMask = 0x5354554e;

const attributes = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  priority: 0x0024,
  fingerprint: 0x8028,
  iceControlling: 0x802a,
} as const;

/** A connectivity check (RFC 8445 section 7.1.1) for an ICE-lite server. */
export interface ConnectivityCheck {
  transactionID: Buffer;
  bytes: Buffer;
}

export function connectivityCheck(usernameFragment: string, password: string): ConnectivityCheck {
  const transactionID = randomBytes(12);
  const body = Buffer.concat([
    attribute(attributes.username, Buffer.from(`${usernameFragment}:${randomBytes(4).toString('hex')}`)),
    attribute(attributes.priority, Buffer.from([0x6e, 0, 0, 0xff])),
    attribute(attributes.iceControlling, randomBytes(8)),
  ]);
  const signed = withIntegrity(body, transactionID, password);
  return { transactionID, bytes: withFingerprint(signed, transactionID) };
}

/** Whether bytes are the good answer to a check. */
export function answers({ transactionID }: ConnectivityCheck, bytes: Buffer): boolean {
  if (bytes.length < headerBytes) return false;
  return bytes.readUInt16BE(0) === bindingResponse && bytes.subarray(8, headerBytes).equals(transactionID);
}

/** The length in the header already counts the attribute that is made from it (RFC 8489 sections 14.5 and 14.7). */
function withIntegrity(body: Buffer, transactionID: Buffer, password: string): Buffer {
  const message = Buffer.concat([header(body.length + 24, transactionID), body]);
  const digest = createHmac('sha1', password).update(message).digest();
  return Buffer.concat([body, attribute(attributes.messageIntegrity, digest)]);
}

function withFingerprint(body: Buffer, transactionID: Buffer): Buffer {
  const message = Buffer.concat([header(body.length + 8, transactionID), body]);
  const value = Buffer.alloc(4);
  value.writeUInt32BE((crc32(message) ^ fingerprintMask) >>> 0);
  return Buffer.concat([message, attribute(attributes.fingerprint, value)]);
}

function header(length: number, transactionID: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16BE(bindingRequest, 0);
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(magicCookie, 4);
  return Buffer.concat([bytes, transactionID]);
}

/** Values are filled up to four bytes. */
function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

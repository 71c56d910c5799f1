import { readLeb128, writeLeb128 } from '@rtms/bitstream';

const packetBytes = 1100;

/** Splits one VP8 frame into RTP payloads (RFC 7741) with a 15-bit picture id. */
export function packetizeVp8(frame: Buffer, pictureID = 0): Buffer[] {
  return chunks(frame).map((chunk, i) => {
    const descriptor = Buffer.of(0x80 | (i === 0 ? 0x10 : 0), 0x80, 0x80 | ((pictureID >> 8) & 0x7f), pictureID & 0xff);
    return Buffer.concat([descriptor, chunk]);
  });
}

/** Splits one H.264 access unit into single NAL unit and FU-A packets (RFC 6184); the first two units share a STAP-A. */
export function packetizeH264(units: Buffer[], aggregateFirst = 0): Buffer[] {
  const together = units.slice(0, aggregateFirst);
  const aggregate = together.flatMap(unit => [Buffer.of(unit.length >> 8, unit.length & 0xff), unit]);
  const head = together.length > 0 ? [Buffer.concat([Buffer.of(0x78), ...aggregate])] : [];
  return [
    ...head,
    ...units.slice(aggregateFirst).flatMap(unit => (unit.length <= packetBytes ? [unit] : fragment(unit))),
  ];
}

function fragment(unit: Buffer): Buffer[] {
  const parts = chunks(unit.subarray(1));
  return parts.map((part, i) => {
    const flags = (i === 0 ? 0x80 : 0) | (i === parts.length - 1 ? 0x40 : 0);
    return Buffer.concat([Buffer.of((unit[0]! & 0xe0) | 28, flags | (unit[0]! & 0x1f)), part]);
  });
}

/** Splits one AV1 temporal unit of an IVF file into RTP payloads, without OBU sizes and with one element in each packet. */
export function packetizeAv1(temporalUnit: Buffer): Buffer[] {
  const units = splitObus(temporalUnit).filter(unit => ((unit[0]! >> 3) & 15) !== 2);
  const small = units.slice(0, -1);
  const last = units.at(-1)!;
  // The first packet has all OBUs but the last, with their lengths. The last OBU fills the other packets.
  const first =
    small.length > 0 ? [Buffer.concat([Buffer.of(0x08), ...small.flatMap(u => [writeLeb128(u.length), u])])] : [];
  const parts = chunks(last);
  const rest = parts.map((part, i) => {
    const flags = (i > 0 ? 0x80 : 0) | (i < parts.length - 1 ? 0x40 : 0) | 0x10;
    return Buffer.concat([Buffer.of(flags), part]);
  });
  return [...first, ...rest];
}

/** The OBUs of a low-overhead stream, without their size fields. */
export function splitObus(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let offset = 0; offset < data.length;) {
    const headerLength = (data[offset]! & 4) !== 0 ? 2 : 1;
    const size = readLeb128(data, offset + headerLength)!;
    const start = offset + headerLength + size.length;
    const header = Buffer.from(data.subarray(offset, offset + headerLength));
    header[0] = header[0]! & ~2;
    units.push(Buffer.concat([header, data.subarray(start, start + size.value)]));
    offset = start + size.value;
  }
  return units;
}

function chunks(data: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(data.length / packetBytes));
  return Array.from({ length: count }, (_, i) => data.subarray(i * packetBytes, (i + 1) * packetBytes));
}

export interface PacketFields {
  payloadType: number;
  sequenceNumber: number;
  timestamp: number;
  ssrc: number;
  marker: boolean;
}

export function rtpDatagram(fields: PacketFields, payload: Buffer): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  header[1] = (fields.marker ? 0x80 : 0) | fields.payloadType;
  header.writeUInt16BE(fields.sequenceNumber & 0xffff, 2);
  header.writeUInt32BE(fields.timestamp >>> 0, 4);
  header.writeUInt32BE(fields.ssrc, 8);
  return Buffer.concat([header, payload]);
}

export function senderReport(ssrc: number, ntpTimeMs: number, rtpTimestamp: number): Buffer {
  const report = Buffer.alloc(28);
  report.set([0x80, 200, 0, 6]);
  report.writeUInt32BE(ssrc, 4);
  report.writeUInt32BE(Math.floor(ntpTimeMs / 1000) + 2_208_988_800, 8);
  report.writeUInt32BE(Math.floor(((ntpTimeMs % 1000) / 1000) * 2 ** 32), 12);
  report.writeUInt32BE(rtpTimestamp >>> 0, 16);
  return report;
}

/** An access unit delimiter. FFmpeg's parser gives a frame away only when it sees the next one begin (H.264, 7.4.1.2.3). */
const delimiter = Buffer.from([0, 0, 0, 1, 9, 0xf0]);
const startCode = Buffer.from([0, 0, 0, 1]);
/** Of RFC 6184, table 1. */
const types = { stapA: 24, fuA: 28 };

/**
 * The NAL units of one RTP payload as a byte stream (RFC 6184 to H.264 annex B). A lost packet leaves a broken unit, which
 * the decoder skips.
 * @param {Buffer} payload
 */
export function annexB(payload) {
  if (payload.length < 2) return Buffer.alloc(0);
  const type = (payload[0] ?? 0) & 0x1f;
  if (type === types.stapA) return aggregated(payload);
  if (type === types.fuA) return fragment(payload);
  return Buffer.concat([startCode, payload]);
}

/** The bytes that end a frame. */
export const endOfFrame = delimiter;

/** @param {Buffer} payload */
function aggregated(payload) {
  const units = [];
  for (let at = 1; at + 2 <= payload.length;) {
    const end = at + 2 + payload.readUInt16BE(at);
    if (end > payload.length) break;
    units.push(startCode, payload.subarray(at + 2, end));
    at = end;
  }
  return Buffer.concat(units);
}

/** @param {Buffer} payload */
function fragment(payload) {
  const [indicator = 0, header = 0] = payload;
  const isStart = (header & 0x80) !== 0;
  const content = payload.subarray(2);
  if (!isStart) return content;
  return Buffer.concat([startCode, Buffer.from([(indicator & 0xe0) | (header & 0x1f)]), content]);
}

/** A box of ISO/IEC 14496-12. */
interface Box {
  type: string;
  content: Buffer;
  /** Of the box in the bytes. */
  offset: number;
}

/** Bytes of fixed fields before the boxes of a sample entry (ISO/IEC 14496-12 sections 12.1.3 and 12.2.3). */
export const videoEntryFields = 78;
export const audioEntryFields = 28;

/**
 * Returns the RFC 6381 codecs of an fMP4 init segment, e.g. `avc1.64001f` or `mp4a.40.2`. Throws if the segment is malformed or
 * has another codec than H.264 or AAC.
 */
export function codecsOfInit(init: Buffer): string {
  const tracks = boxesIn(contentOf(init, ['moov'])).filter(({ type }) => type === 'trak');
  if (tracks.length === 0) throw new Error('init segment without a track');
  return tracks.map(({ content }) => codecOfTrack(content)).join(',');
}

function codecOfTrack(track: Buffer): string {
  const sampleDescription = contentOf(track, ['mdia', 'minf', 'stbl', 'stsd']);
  const entry = boxesIn(sampleDescription.subarray(8))[0];
  switch (entry?.type) {
    case 'avc1':
      return `avc1.${contentOf(entry.content.subarray(videoEntryFields), ['avcC']).subarray(1, 4).toString('hex')}`;
    case 'mp4a':
      return mp4aCodec(contentOf(entry.content.subarray(audioEntryFields), ['esds']).subarray(4));
    default:
      throw new Error(`init segment with an unexpected sample entry: ${entry?.type ?? 'none'}`);
  }
}

/** `mp4a.<objectTypeIndication>.<audioObjectType>` of an ES descriptor (ISO/IEC 14496-1 section 7.2.6). */
function mp4aCodec(descriptor: Buffer): string {
  return `mp4a.${decoderConfigOf(descriptor).readUInt8(0).toString(16)}.${decoderSetupOf(descriptor).readUInt8(0) >> 3}`;
}

function decoderConfigOf(descriptor: Buffer): Buffer {
  return descriptorContent(descriptorContent(descriptor, 0x03).subarray(3), 0x04);
}

/** Returns the AudioSpecificConfig of an ES descriptor. */
export function decoderSetupOf(descriptor: Buffer): Buffer {
  return descriptorContent(decoderConfigOf(descriptor).subarray(13), 0x05);
}

/** Returns the content of a descriptor. Its length is coded in groups of seven bits. */
function descriptorContent(bytes: Buffer, tag: number): Buffer {
  if (bytes.readUInt8(0) !== tag) throw new Error(`descriptor ${tag} expected, found ${bytes[0]}`);
  let offset = 1;
  let length = 0;
  for (let more = true; more; offset += 1) {
    const byte = bytes.readUInt8(offset);
    length = (length << 7) | (byte & 0x7f);
    more = (byte & 0x80) !== 0;
  }
  return bytes.subarray(offset, offset + length);
}

export function contentOf(bytes: Buffer, path: readonly string[]): Buffer {
  return path.reduce((content, type) => {
    const box = boxesIn(content).find(candidate => candidate.type === type);
    if (!box) throw new Error(`segment without a ${type} box`);
    return box.content;
  }, bytes);
}

export function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let offset = 0; offset + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(offset);
    if (size < 8) throw new Error(`segment with a box of ${size} bytes`);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    boxes.push({ type, content: bytes.subarray(offset + 8, offset + size), offset });
    offset += size;
  }
  return boxes;
}

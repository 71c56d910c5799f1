/** Offset of an RTP packet's payload (RFC 3550 section 5.1); undefined when the packet is cut short. */
export function payloadOf(packet: Buffer): Buffer | undefined {
  if (packet.length < 12) return undefined;
  const first = packet.readUInt8(0);
  let offset = 12 + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (packet.length < offset + 4) return undefined;
    offset += 4 + packet.readUInt16BE(offset + 2) * 4;
  }
  const padding = first & 0x20 ? packet.readUInt8(packet.length - 1) : 0;
  return offset < packet.length - padding ? packet.subarray(offset, packet.length - padding) : undefined;
}

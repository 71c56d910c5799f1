import { OutgoingStream } from './outgoing-stream.js';

function packetOf(ssrc: number, sequenceNumber: number, timestamp: number): Buffer {
  const packet = Buffer.alloc(13, 7);
  packet[1] = 0x80 | 96;
  packet.writeUInt16BE(sequenceNumber, 2);
  packet.writeUInt32BE(timestamp, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

const numbersOf = (packet: Buffer) => [
  packet.readUInt8(1),
  packet.readUInt16BE(2),
  packet.readUInt32BE(4),
  packet.readUInt32BE(8),
];

describe('OutgoingStream', () => {
  it('continues the numbers when another encoder takes over', () => {
    const stream = new OutgoingStream({ payloadType: 106, ssrc: 1002, clockRate: 90_000 });
    expect(numbersOf(stream.next(packetOf(1, 65_535, 4_294_967_000), 0))).toEqual([0x80 | 106, 0, 0, 1002]);
    expect(numbersOf(stream.next(packetOf(1, 0, 704), 33))).toEqual([0x80 | 106, 1, 1_000, 1002]);
    expect(numbersOf(stream.next(packetOf(2, 500, 9), 1_033))).toEqual([0x80 | 106, 2, 91_000, 1002]);
    expect(numbersOf(stream.next(packetOf(2, 501, 10), 1_034))).toEqual([0x80 | 106, 3, 91_001, 1002]);
  });

  it('leaves the number of a packet that is left out', () => {
    const stream = new OutgoingStream({ payloadType: 111, ssrc: 1001, clockRate: 48_000 });
    const sequenceNumbers = [10, 12, 11].map(number => stream.next(packetOf(1, number, 0), 0).readUInt16BE(2));
    expect(sequenceNumbers).toEqual([0, 2, 1]);
  });

  it('keeps the payload, and the packet that was given', () => {
    const packet = packetOf(1, 2, 3);
    const stream = new OutgoingStream({ payloadType: 111, ssrc: 1001, clockRate: 48_000 });
    expect(stream.next(packet, 0).subarray(12)).toEqual(Buffer.of(7));
    expect(packet).toEqual(packetOf(1, 2, 3));
  });
});

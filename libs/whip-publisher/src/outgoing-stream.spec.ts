import { OutgoingStream } from './outgoing-stream.js';
import { layerExtension, senderReport, withLayers } from './simulcast.js';

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

  it('adds the header extension, and counts packets and payload', () => {
    const extension = layerExtension('half');
    const stream = new OutgoingStream({ payloadType: 106, ssrc: 1003, clockRate: 90_000, extension });
    expect(stream.timestampOf(1_000)).toBeUndefined();
    const sent = stream.next(packetOf(1, 2, 1_000), 0);
    expect(numbersOf(sent)).toEqual([0x80 | 106, 0, 0, 1003]);
    expect(sent.readUInt8(0)).toBe(7 | 0x10);
    expect(sent.subarray(12)).toEqual(Buffer.from([0xbe, 0xde, 0, 1, 0x10, 0x31, 0x20, 0x68, 7]));
    expect([stream.sent, stream.timestampOf(1_090)]).toEqual([{ packets: 1, bytes: 1 }, 90]);
  });
});

describe('the offer of simulcast layers', () => {
  it('has extensions, RIDs and the list in the section of video, and no SSRC there', () => {
    const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:0', 'a=ssrc:1001 cname:publisher'];
    const video = ['m=video 9 UDP/TLS/RTP/SAVPF 106', 'a=mid:1', 'a=sendonly'];
    const offered = withLayers([...audio, ...video, 'a=ssrc:1002 cname:x', 'a=ssrc:1003 cname:x'], ['video', 'half']);
    expect(offered).toEqual([
      ...audio,
      ...video.slice(0, 2),
      'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
      'a=extmap:2 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
      'a=rid:h send',
      'a=rid:f send',
      'a=simulcast:send h;f',
      'a=sendonly',
    ]);
  });
});

describe('a sender report', () => {
  it('relates a time of NTP to a timestamp', () => {
    const ntpMs = 3_973_000_000_250;
    const report = senderReport({ ssrc: 1003 }, { ntpMs, rtpTimestamp: 2 ** 32 + 90 }, { packets: 5, bytes: 500 });
    expect([report[1], report.length, report.readUInt16BE(2)]).toEqual([200, 28, 6]);
    const words = [4, 8, 12, 16, 20, 24].map(offset => report.readUInt32BE(offset));
    expect(words).toEqual([1003, 3_973_000_000, 2 ** 30, 90, 5, 500]);
  });
});

import fc from 'fast-check';
import { isRtcp, parseRtpPacket } from './rtp-packet.js';

/** Marker, one source, an extension of one word, two bytes of payload and two of padding. */
const datagram = Buffer.from('b1e0ffff00000010000000070000000abede000110000000aabb0002', 'hex');

describe('parseRtpPacket', () => {
  it('reads the fixed header, and leaves out extensions, sources and padding', () => {
    expect(parseRtpPacket(datagram)).toEqual({
      payloadType: 96,
      sequenceNumber: 65_535,
      timestamp: 16,
      ssrc: 7,
      marker: true,
      payload: Buffer.from('aabb', 'hex'),
    });
  });

  it('reads a packet of padding only', () => {
    const padding = Buffer.from('a06000010000000200000003000003', 'hex');
    expect(parseRtpPacket(padding)?.payload).toHaveLength(0);
  });

  it.each([
    ['another version', Buffer.concat([Buffer.of(0x71), datagram.subarray(1)])],
    ['a fixed header that is cut short', datagram.subarray(0, 11)],
    ['an extension that is cut short', datagram.subarray(0, 22)],
    ['more padding than payload', Buffer.concat([datagram.subarray(0, -1), Buffer.of(9)])],
  ])('refuses %s', (_case, bytes) => {
    expect(parseRtpPacket(bytes)).toBeUndefined();
  });

  it('never throws', () => {
    const header = fc.constantFrom(Buffer.alloc(0), datagram.subarray(0, 12), datagram.subarray(0, 20));
    fc.assert(
      fc.property(header, fc.uint8Array({ maxLength: 64 }), (head, bytes) => {
        const any = Buffer.concat([head, bytes]);
        parseRtpPacket(any);
        isRtcp(any);
      }),
    );
  });
});

describe('isRtcp', () => {
  it('tells RTCP from RTP', () => {
    expect(isRtcp(Buffer.from('80c9000100000007', 'hex'))).toBe(true);
    expect(isRtcp(datagram)).toBe(false);
  });
});

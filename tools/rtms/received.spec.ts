import { describeLine, levels } from './logs-command.mjs';
import { annexB } from './h264-frames.mjs';
import { payloadOf, ReceivedStream } from './received-stream.mjs';

function packet(sequenceNumber: number, { marked = false, payload = [1, 2, 3] } = {}): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  header[1] = marked ? 0x80 | 106 : 106;
  header.writeUInt16BE(sequenceNumber & 0xffff, 2);
  return Buffer.concat([header, Buffer.from(payload)]);
}

describe('a received stream', () => {
  function received(...numbers: number[]): ReceivedStream {
    const stream = new ReceivedStream();
    for (const number of numbers) stream.add(packet(number));
    return stream;
  }

  it.each([
    ['in order', [1, 2, 3], 0, 3],
    ['over the end of the numbers', [65_534, 65_535, 0, 1], 0, 4],
    ['with a gap', [1, 2, 5], 2, 5],
    ['with a gap over the end of the numbers', [65_535, 2], 2, 4],
    ['out of order', [1, 3, 2, 4], 0, 4],
    ['twice', [1, 2, 2], 0, 3],
    ['that began again far away', [10, 40_000, 40_001], 0, 3],
  ])('counts the losses of packets %s', (_how, numbers, lost, expected) => {
    const stream = received(...numbers);
    expect([stream.lost, stream.expected]).toEqual([lost, expected]);
  });

  it('counts a frame at its last packet', () => {
    const stream = new ReceivedStream();
    for (const number of [1, 2, 3, 4]) stream.add(packet(number, { marked: number % 2 === 0 }));
    expect(stream.frames).toBe(2);
  });

  it('finds the payload behind contributors and an extension, and before padding', () => {
    const header = Buffer.alloc(12);
    header[0] = 0x80 | 0x20 | 0x10 | 1;
    const contributor = [9, 9, 9, 9];
    const extension = [0xbe, 0xde, 0, 1, 8, 8, 8, 8];
    const whole = Buffer.concat([header, Buffer.from([...contributor, ...extension, 1, 2, 3, 0, 2])]);
    expect([...payloadOf(whole)]).toEqual([1, 2, 3]);
  });

  it.each([[[0x90, 0]], [[0xbf, 0]]])('survives a packet that ends early (%j)', ([first]) => {
    const header = Buffer.alloc(12);
    header[0] = first ?? 0;
    expect([...payloadOf(header)]).toEqual([]);
  });
});

describe('H264 payloads', () => {
  const start = [0, 0, 0, 1];

  it.each([
    ['a single unit', [0x65, 1, 2], [...start, 0x65, 1, 2]],
    ['an aggregation', [24, 0, 2, 0x67, 1, 0, 1, 0x68], [...start, 0x67, 1, ...start, 0x68]],
    ['an aggregation that ends early', [24, 0, 9, 0x67], []],
    ['the start of a fragmented unit', [0x7c, 0x85, 7], [...start, 0x65, 7]],
    ['the rest of a fragmented unit', [0x7c, 0x45, 8], [8]],
    ['nothing', [], []],
  ])('become a byte stream: %s', (_what, payload, expected) => {
    expect([...annexB(Buffer.from(payload))]).toEqual(expected);
  });
});

describe('a log line', () => {
  const info = levels.indexOf('info');

  it('becomes time, service, level and message', () => {
    const line = JSON.stringify({
      ...{ level: 'warn', time: '2026-11-23T17:51:23.571Z', msg: 'it failed', requestID: 'r1' },
      err: { message: 'no\u001b[31m route' },
    });
    expect(describeLine(line, 'sfu', info)).toEqual([
      {
        time: '2026-11-23T17:51:23.571Z',
        text: '17:51:23.571  sfu         warn   it failed: no [31m route  (r1)',
      },
    ]);
  });

  it('is left out below the wanted level', () => {
    expect(describeLine('{"level":"debug","msg":"x"}', 'sfu', info)).toEqual([]);
  });

  it('is shown as it stands when it is no JSON', () => {
    expect(describeLine('{broken', 'nats', info)).toEqual([
      { time: '', text: '              nats        info   {broken' },
    ]);
  });
});

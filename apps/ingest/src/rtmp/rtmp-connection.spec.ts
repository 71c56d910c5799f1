/** @seconds 5 */
import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { once } from 'node:events';
import { makeCertificates, ManualClock, waitFor } from '@rtms/testing';
import fc from 'fast-check';
import { AmfError, decodeAmf, encodeAmf } from './amf0.js';
import { ChunkReader, messageTypes, RtmpError, writeMessage, type RtmpMessage } from './chunk-stream.js';
import { FlvWriter, hasKnownCodec } from './flv.js';
import { ConnectionLimits, RtmpServer } from './rtmp-server.js';

const messageOf = (type: number, payload: Buffer) => writeMessage({ type, streamID: 1, payload });
const command = (...values: Parameters<typeof encodeAmf>) => messageOf(messageTypes.command, encodeAmf(...values));

describe('AMF0', () => {
  it('is decoded as it was encoded', () => {
    const values = ['connect', 1, { app: 'live', flag: true, none: null, deep: { number: 1.5 } }, undefined];
    expect(decodeAmf(encodeAmf(...values))).toEqual(values);
  });

  it('of any bytes ends with values or an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        try {
          decodeAmf(Buffer.from(bytes));
        } catch (error) {
          if (!(error instanceof AmfError)) throw error;
        }
      }),
    );
  });

  it.each<[string, Buffer]>([
    ['a depth without end', Buffer.concat(Array.from({ length: 100 }, () => Buffer.from([3, 0, 1, 97])))],
    ['an array of four billion', Buffer.from([10, 0xff, 0xff, 0xff, 0xff])],
    ['a thousand values', Buffer.alloc(1_000, 5)],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeAmf(bytes)).toThrow(AmfError);
  });
});

describe('chunks', () => {
  const read = (reader: ChunkReader, data: Buffer): RtmpMessage[] => [...reader.read(data)];

  it('become messages, however they are cut', () => {
    const payload = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index & 0xff));
    const bytes = Buffer.concat([messageOf(9, payload), messageOf(8, Buffer.of(1, 2))]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }), sizes => {
        const reader = new ChunkReader(10_000);
        const got: RtmpMessage[] = [];
        for (let at = 0, index = 0; at < bytes.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          got.push(...read(reader, bytes.subarray(at, at + size)));
          at += size;
        }
        expect(got.map(({ type, payload: { length } }) => [type, length])).toEqual([
          [9, 1_000],
          [8, 2],
        ]);
        expect(got[0]?.payload).toEqual(payload);
      }),
    );
  });

  it('of any bytes end with messages or an error, and hold no more than the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), parts => {
        const reader = new ChunkReader(1_000);
        try {
          for (const part of parts)
            for (const { payload } of read(reader, Buffer.from(part)))
              expect(payload.length).toBeLessThanOrEqual(1_000);
        } catch (error) {
          if (!(error instanceof RtmpError)) throw error;
        }
      }),
    );
  });

  it('refuse a length above the limit at its header', () => {
    const header = Buffer.from([3, 0, 0, 0, 0xff, 0xff, 0xff, 20, 0, 0, 0, 0]);
    expect(() => read(new ChunkReader(16_384), header)).toThrow(/too long/);
  });

  it('cost no copy for each byte of a large chunk', () => {
    const reader = new ChunkReader(2_000_000);
    reader.chunkSize = 1_000_000;
    read(reader, Buffer.from([4, 0, 0, 0, 0x0f, 0x42, 0x40, 9, 1, 0, 0, 0]));
    const copy = jest.spyOn(Buffer, 'concat');
    const byte = Buffer.of(1);
    for (let count = 1; count < 10_000; count += 1) read(reader, byte);
    expect(copy.mock.calls.length).toBeLessThan(10);
    copy.mockRestore();
    expect(read(reader, Buffer.alloc(1_000_000 - 9_999))).toHaveLength(1);
  });

  it('refuse many unfinished messages', () => {
    const reader = new ChunkReader(1_000);
    const begin = (id: number) =>
      Buffer.concat([Buffer.from([id, 0, 0, 0, 0, 3, 0xe8, 9, 1, 0, 0, 0]), Buffer.alloc(128)]);
    expect(() => {
      for (let id = 2; id < 40; id += 1) read(reader, begin(id));
    }).toThrow(/unfinished/);
    const many = new ChunkReader(1_000_000);
    expect(() => {
      for (let id = 2; id < 40; id += 1) read(many, begin(id));
    }).toThrow(/chunk streams/);
  });

  it('carry times above 16 million milliseconds, in each chunk', () => {
    const reader = new ChunkReader(1_000);
    const time = Buffer.from([1, 0, 0, 0]);
    const first = Buffer.concat([
      Buffer.from([4, 0xff, 0xff, 0xff, 0, 0, 200, 8, 1, 0, 0, 0]),
      time,
      Buffer.alloc(128, 7),
    ]);
    const second = Buffer.concat([Buffer.of(0xc4), time, Buffer.alloc(72, 7)]);
    const [message] = read(reader, Buffer.concat([first, second]));
    expect(message).toMatchObject({ timestamp: 0x0100_0000, payload: Buffer.alloc(200, 7) });
  });
});

describe('the times of FLV', () => {
  /** Of messages, each with its type and time. */
  const timesOf = (...messages: [type: number, timestamp: number][]) => {
    const flv = new FlvWriter();
    return messages.map(([type, timestamp]) => {
      const tag = flv.tag({ type, timestamp, streamID: 1, payload: Buffer.of(1) });
      return tag.readUIntBE(4, 3) + tag.readUInt8(7) * 0x1_000_000 - 3_000;
    });
  };

  it('continue over the highest value of an encoder, and use all bytes', () => {
    expect(timesOf([9, 0xffff_fff0], [8, 0xffff_ffe0], [9, 10])).toEqual([0, -16, 26]);
    const hours = Array.from({ length: 2_000 }, (_, index): [number, number] => [9, index * 9_000]);
    expect(timesOf(...hours).at(-1)).toBe(1_999 * 9_000);
  });

  it.each([3_600_000, -50_000, 0x8000_0000])('continue after a jump by %d ms', jump => {
    const after = 100_000 + jump;
    expect(timesOf([9, 100_000], [9, 100_033], [9, after], [8, after - 20], [9, after + 33])).toEqual([
      ...[0, 33, 33, 13, 66],
    ]);
  });

  it('ignore the times of data', () => {
    expect(timesOf([9, 50_000], [18, 0], [9, 50_033])).toEqual([0, 0, 33]);
  });
});

it('knows the codecs that FFmpeg reads from FLV', () => {
  const isKnown = (type: number, first: number) =>
    hasKnownCodec({ type, timestamp: 0, streamID: 1, payload: Buffer.of(first) });
  expect(isKnown(9, 0x17)).toBe(true);
  // Enhanced RTMP: HEVC.
  expect(isKnown(9, 0x90)).toBe(false);
  expect(isKnown(8, 0xaf)).toBe(true);
  expect(isKnown(8, 0xdf)).toBe(false);
});

describe('an RTMP server', () => {
  let clock: ManualClock;
  let server: RtmpServer;
  let limits: ConnectionLimits;
  let keys: string[];
  let media: RtmpMessage[];
  let isTaken: boolean;
  const clients: Socket[] = [];

  beforeEach(async () => {
    clock = new ManualClock(1_000_000);
    limits = new ConnectionLimits({ connections: 5, perAddress: 3 });
    keys = [];
    media = [];
    isTaken = true;
    server = await RtmpServer.open({
      ...{ host: '127.0.0.1', port: 0, limits, clock },
      publish: streamKey => {
        keys.push(streamKey);
        if (streamKey !== 'right') return Promise.reject(new Error('The stream key is unknown.'));
        return Promise.resolve({ take: message => media.push(message) > 0 && isTaken });
      },
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await server.close();
    await server.close();
  });

  const dial = async (): Promise<Socket> => {
    const client = connect(server.port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    return client;
  };
  /** All that the server has sent, as text. */
  const listen = (client: Socket): { text: string } => {
    const heard = { text: '' };
    client.on('data', data => (heard.text += data.toString('latin1')));
    return heard;
  };
  const open = async (app = 'live') => {
    const client = await dial();
    const heard = listen(client);
    client.write(Buffer.concat([Buffer.of(3), Buffer.alloc(1_536)]));
    await waitFor(() => heard.text.length >= 1 + 2 * 1_536, { what: 'the handshake' });
    client.write(Buffer.concat([Buffer.alloc(1_536), command('connect', 1, { app, tcUrl: 'not a url' })]));
    return { client, heard };
  };
  /** Also after a reset, which the kernel sends when unread bytes are thrown away. */
  const closed = (client: Socket) =>
    client.destroyed ? Promise.resolve() : new Promise(resolve => client.once('close', resolve));

  it('takes media from an encoder with the right key', async () => {
    const { client, heard } = await open();
    client.write(Buffer.concat([command('createStream', 2, null), command('publish', 3, null, 'right', 'live')]));
    await waitFor(() => heard.text.includes('NetStream.Publish.Start'), { what: 'the permission' });
    client.write(messageOf(messageTypes.video, Buffer.of(0x17, 0)));
    await waitFor(() => media.length >= 1, { what: 'the media' });
  });

  it('tells an encoder with a wrong key after a second why it is refused, and closes', async () => {
    const { client, heard } = await open();
    client.write(command('publish', 3, null, 'wrong', 'live'));
    await waitFor(() => keys.length >= 1, { what: 'the question' });
    await clock.advance(999);
    expect(heard.text).not.toContain('BadName');
    await clock.advance(1);
    await closed(client);
    expect(heard.text).toContain('NetStream.Publish.BadName');
    expect(heard.text).toContain('The stream key is unknown.');
    expect(keys).toEqual(['wrong']);
  });

  it.each<[string, Buffer]>([
    ['a wrong application', command('connect', 1, { app: 'other' })],
    ['a publication without a key', command('publish', 3, null, 7)],
    ['a player', command('play', 3, null, 'right')],
    ['a malformed command', messageOf(messageTypes.command, Buffer.from([3, 0, 200]))],
    ['a chunk size of 0', messageOf(messageTypes.setChunkSize, Buffer.alloc(4))],
    // Each chunk costs a hundred bytes of memory beside its own.
    ['a chunk size of 1', messageOf(messageTypes.setChunkSize, Buffer.of(0, 0, 0, 1))],
    ['a flood of messages', Buffer.concat(Array.from({ length: 20_000 }, () => messageOf(3, Buffer.alloc(0))))],
    ['a message of 16 MB', Buffer.from([3, 0, 0, 0, 0xff, 0xff, 0xff, 20, 0, 0, 0, 0])],
    ['garbage', Buffer.alloc(5_000, 0xa5)],
  ])('closes on %s', async (_, bytes) => {
    const { client } = await open();
    client.write(bytes);
    await closed(client);
    await waitFor(() => limits.count < 1, { what: 'the place to be free' });
  });

  it('closes when the handshake is of another protocol', async () => {
    const client = await dial();
    listen(client);
    client.write('GET / HTTP/1.1\r\n\r\n');
    await closed(client);
    expect(keys).toEqual([]);
  });

  it('closes an encoder that does not publish in time, or falls silent', async () => {
    const slow = await dial();
    listen(slow);
    slow.write(Buffer.of(3));
    const { client, heard } = await open();
    client.write(command('publish', 3, null, 'right', 'live'));
    await waitFor(() => heard.text.includes('Publish.Start'), { what: 'the permission' });
    await clock.advance(10_000);
    await Promise.all([closed(slow), closed(client)]);
  });

  it('gives an encoder ten seconds to publish, whatever else it sends', async () => {
    const { client, heard } = await open();
    for (let second = 1; second <= 10; second += 1) {
      const before = heard.text.length;
      client.write(command('createStream', 2, null));
      await waitFor(() => heard.text.length > before, { what: 'the answer' });
      expect(limits.count).toBe(1);
      await clock.advance(1_000);
    }
    await closed(client);
  });

  it('does not count the time in which its process was blocked, because media may be unread', async () => {
    const { client, heard } = await open();
    client.write(command('publish', 3, null, 'right', 'live'));
    await waitFor(() => heard.text.includes('Publish.Start'), { what: 'the permission' });
    clock.stall(20_000);
    await clock.advance(7_000);
    expect(limits.count).toBe(1);
    await clock.advance(3_000);
    await closed(client);
  });

  it('closes an encoder that reads none of its answers', async () => {
    const { client, heard } = await open();
    client.write(command('publish', 3, null, 'right', 'live'));
    await waitFor(() => heard.text.includes('Publish.Start'), { what: 'the permission' });
    const commands = Array.from({ length: 1_000 }, () => command('createStream', 2, null));
    const round = Buffer.concat([...commands, messageOf(messageTypes.video, Buffer.of(0x17, 0))]);
    client.pause();
    for (let count = 1; count < 500 && limits.count > 0; count += 1) {
      client.write(round);
      await waitFor(() => media.length >= count || limits.count < 1, { what: 'the round to be read' });
      // A new second, so that this is no flood.
      await clock.advance(1_000);
    }
    expect(limits.count).toBe(0);
  });

  it('closes an encoder whose media nobody takes any more', async () => {
    isTaken = false;
    const { client, heard } = await open();
    client.write(command('publish', 3, null, 'right', 'live'));
    await waitFor(() => heard.text.includes('Publish.Start'), { what: 'the permission' });
    client.write(messageOf(messageTypes.video, Buffer.of(0x17, 0)));
    await waitFor(() => media.length >= 1, { what: 'the media' });
    await clock.advance(29_000);
    expect(client.destroyed).toBe(false);
    await clock.advance(2_000);
    await closed(client);
  });

  it('leaves no timer when its port is in use', async () => {
    const certificates = makeCertificates('127.0.0.1');
    const { cert: certFile, key: keyFile } = certificates.server;
    try {
      const opened = { host: '127.0.0.1', port: server.port, limits, clock, tls: { certFile, keyFile } };
      await expect(RtmpServer.open({ ...opened, publish: () => Promise.reject(new Error()) })).rejects.toThrow(
        'EADDRINUSE',
      );
      expect(clock.pending).toBe(0);
    } finally {
      certificates.remove();
    }
  });

  it('takes no more connections than it may, of one address and in all', async () => {
    const three = await Promise.all([dial(), dial(), dial()]);
    await waitFor(() => limits.count >= 3, { what: 'the connections' });
    const fourth = await dial();
    await closed(fourth);
    expect(limits.refused).toBe(1);
    three[0]?.destroy();
    await waitFor(() => limits.count <= 2, { what: 'a free place' });
    await dial();
    await waitFor(() => limits.count >= 3, { what: 'the newcomer' });
  });

  it('survives two hundred connections with random bytes', async () => {
    for (let count = 0; count < 200; count += 1) {
      const client = await dial();
      const random = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 400 }), 1)[0] ?? new Uint8Array();
      client.end(Buffer.concat([Buffer.of(3), Buffer.alloc(3_072), Buffer.from(random)]));
      client.resume();
      await closed(client);
    }
    await open();
    await waitFor(() => limits.count <= 1, { what: 'the places to be free' });
  });
});

import { ChunkReader, messageTypes, writeMessage } from './chunk-stream.js';

describe('ChunkReader', () => {
  it('keeps copies of the parts of an unfinished message, not the buffers of the socket', () => {
    const payload = Buffer.alloc(300, 7);
    const bytes = writeMessage({ type: messageTypes.video, streamID: 1, payload });
    const reader = new ChunkReader(1_000);
    const first = Buffer.from(bytes.subarray(0, 200));
    expect([...reader.read(first)]).toEqual([]);
    first.fill(0, 0, 12 + 128);
    expect([...reader.read(Buffer.from(bytes.subarray(200)))].map(message => message.payload)).toEqual([payload]);
  });
});

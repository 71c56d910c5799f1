import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { describeRecordingStore } from './recording-store.contract.js';
import { S3RecordingStore } from './s3-recording-store.js';

const bucket = 'recordings';
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

describe('S3RecordingStore', () => {
  let directory: string;
  let server: S3rver;
  let endpoint: string;
  let prefixes = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-s3-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });

  const options = (prefix: string) => ({
    bucket,
    region: 'us-east-1',
    endpoint,
    credentials,
    forcePathStyle: true,
    prefix,
  });
  const makeStore = () => Promise.resolve(new S3RecordingStore(options(`test-${(prefixes += 1)}/`)));

  describeRecordingStore(makeStore);

  it('has nothing of an upload that was given up', async () => {
    const path = join(directory, 'large');
    await writeFile(path, Buffer.alloc(12 * 1024 * 1024));
    const store = await makeStore();
    const giveUp = new AbortController();
    const putting = store.put('rec_1', path, giveUp.signal);
    giveUp.abort();
    await expect(putting).rejects.toThrow();
    expect(await store.size('rec_1')).toBeUndefined();
    await store.close();
  });
});

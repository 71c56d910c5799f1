import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { describeRecordingStore } from './recording-store.contract.js';
import { describePieceStore } from './piece-store.contract.js';
import { S3PieceStore } from './s3-piece-store.js';
import { S3RecordingStore } from './s3-recording-store.js';

/** @weight 0.5 */

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

  describe('its pieces', () => {
    describePieceStore(() => Promise.resolve(new S3PieceStore(options(`test-${(prefixes += 1)}/`))));
  });

  it('stores nothing of an aborted upload', async () => {
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

/** The S3 server of the other tests cannot list uploads. This server does nothing else. */
describe('S3RecordingStore after a crash', () => {
  const Key = 'test/rec_1.mp4';
  let directory: string;
  let server: Server;
  let asked: string[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-s3-'));
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume();
      const isListing = request.url?.includes('uploads') === true;
      response.writeHead(request.method === 'DELETE' ? 204 : 200, { ETag: '"x"', 'Content-Type': 'application/xml' });
      response.end(isListing ? listing : '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true, force: true });
  });

  const upload = (key: string, id: string) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`;
  const listing = `<ListMultipartUploadsResult>${upload(Key, 'left')}${upload(`${Key}.other`, 'of-another')}</ListMultipartUploadsResult>`;
  const aborted = () => asked.filter(each => each.startsWith('DELETE') && each.includes('uploadId'));

  it.each(['put again', 'deleted'])('aborts an unfinished upload when its recording is %s', async how => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const place = { bucket, region: 'us-east-1', endpoint, credentials, forcePathStyle: true, prefix: 'test/' };
    const store = new S3RecordingStore(place);
    const path = join(directory, 'file');
    await writeFile(path, 'whole');
    await (how === 'deleted' ? store.delete('rec_1') : store.put('rec_1', path));
    expect(aborted()).toEqual([expect.stringMatching(`/${bucket}/${Key}\\?.*uploadId=left`)]);
    expect(asked.at(-1)).toMatch(how === 'deleted' ? `DELETE /${bucket}/${Key}` : `PUT /${bucket}/${Key}`);
    await store.close();
  });
});

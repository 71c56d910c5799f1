/** @weight 0.5 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialQueue } from '@rtms/node';
import { EventLog } from '@rtms/testing';
import S3rver from 's3rver';
import { describeRecordingStore } from './recording-store.contract.js';
import { describePieceStore } from './piece-store.contract.js';
import { S3PieceStore } from './s3-piece-store.js';
import { S3RecordingStore, s3SilentMs } from './s3-recording-store.js';

const bucket = 'recordings';
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

describe('S3RecordingStore', () => {
  let directory: string;
  let server: S3rver;
  let endpoint: string;
  let prefixes = 0;
  let knowsConditions = true;
  /** Conditional requests wait for it. */
  let turn: (method: string) => Promise<void>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-s3-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const conditional = new SerialQueue();
    // s3rver ignores `If-None-Match` of a PUT.
    server.middleware.unshift(async (context, next) => {
      if (context.get('if-none-match') !== '*') return next();
      await turn(context.method);
      await conditional.run(async () => {
        const exists = await server.store.existsObject(bucket, context.path.slice(`/${bucket}/`.length));
        if (knowsConditions && !exists) return next();
        context.req.resume();
        context.status = knowsConditions ? 412 : 501;
        context.body = '<Error><Code>Refused</Code></Error>';
      });
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => {
    knowsConditions = true;
    turn = () => Promise.resolve();
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

  it('keeps files with another extension beside the recordings', async () => {
    const place = options(`test-${(prefixes += 1)}/`);
    const kind = { extension: 'storyboard', contentType: 'application/octet-stream' };
    const [movies, storyboards] = [new S3RecordingStore(place), new S3RecordingStore(place, s3SilentMs, kind)];
    const path = join(directory, 'pictures');
    await writeFile(path, 'pictures');
    await storyboards.put('rec_1', path);
    expect([await movies.size('rec_1'), await storyboards.size('rec_1')]).toEqual([undefined, 8]);
    await Promise.all([movies.close(), storyboards.close()]);
  });

  describe('its pieces', () => {
    describePieceStore(() => Promise.resolve(new S3PieceStore(options(`test-${(prefixes += 1)}/`))));
  });

  it('keeps the file of the faster node when a slow upload ends', async () => {
    const [path, other] = [join(directory, 'slow'), join(directory, 'fast')];
    await writeFile(path, Buffer.alloc(12 * 1024 * 1024));
    await writeFile(other, 'whole');
    const [slow, fast] = [new S3RecordingStore(options('two/')), new S3RecordingStore(options('two/'))];
    const completions = new EventLog<() => void>();
    // The last request of a multipart upload is a POST.
    turn = method => (method === 'POST' ? new Promise(resolve => completions.add(() => resolve())) : Promise.resolve());
    const putting = slow.put('rec_1', path);
    const complete = await completions.find(() => true);
    expect(await fast.put('rec_1', other)).toBe('stored');
    complete();
    expect(await putting).toBe('exists');
    expect(await fast.size('rec_1')).toBe(5);
    await Promise.all([slow.close(), fast.close()]);
  });

  it('stores a file without a condition where the service knows none', async () => {
    knowsConditions = false;
    const path = join(directory, 'unconditional');
    await writeFile(path, 'whole');
    const store = await makeStore();
    expect(await store.put('rec_1', path)).toBe('stored');
    expect(await store.put('rec_1', path)).toBe('exists');
    await store.close();
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
      const statuses: Record<string, number> = { DELETE: 204, HEAD: 404 };
      response.writeHead(statuses[request.method ?? ''] ?? 200, { ETag: '"x"', 'Content-Type': 'application/xml' });
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

describe('S3RecordingStore with a silent bucket', () => {
  it('gives up a put, so that the node can retry it', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const place = { bucket, region: 'us-east-1', endpoint, credentials, forcePathStyle: true, prefix: '' };
    const store = new S3RecordingStore(place, 100);
    await expect(store.put('rec_1', import.meta.filename)).rejects.toMatchObject({ name: 'TimeoutError' });
    await store.close();
    server.closeAllConnections();
    server.close();
  });
});

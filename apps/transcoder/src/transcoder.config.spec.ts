import { loadConfig } from '@rtms/config';
import { transcoderConfigSchema } from './transcoder.config.js';

const load = (s3: Record<string, string>) =>
  loadConfig(transcoderConfigSchema, { NATS_URL: 'nats://127.0.0.1:4222', ...s3 }).recordings.s3;
const bucket = { RECORDINGS_S3_BUCKET: 'recordings' };
const keys = { RECORDINGS_S3_ACCESS_KEY_ID: 'id', RECORDINGS_S3_SECRET_ACCESS_KEY: 'secret-of-s3' };

describe('the storage of recordings', () => {
  it('is the disk unless there is a bucket', () => {
    expect(load({})).toBeUndefined();
  });

  it('is a bucket at Amazon, with the credentials of the machine, when nothing else is said', () => {
    const expected = { bucket: 'recordings', region: 'us-east-1', prefix: '', forcePathStyle: false };
    expect(load(bucket)).toEqual({ ...expected, endpoint: undefined, credentials: undefined });
  });

  it('is a bucket of another service, in its path unless it is said otherwise', () => {
    const endpoint = 'http://127.0.0.1:9000';
    const other = { ...bucket, ...keys, RECORDINGS_S3_ENDPOINT: endpoint, RECORDINGS_S3_PREFIX: 'a/b/' };
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret-of-s3' };
    expect(load(other)).toMatchObject({ endpoint, prefix: 'a/b/', forcePathStyle: true, credentials });
    expect(load({ ...other, RECORDINGS_S3_PATH_STYLE: 'false' })).toMatchObject({ forcePathStyle: false });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['any variable without a bucket', { RECORDINGS_S3_REGION: 'eu-west-1' }, /RECORDINGS_S3_BUCKET/],
    ['credentials without a bucket', keys, /RECORDINGS_S3_BUCKET/],
    ['a key without its secret', { ...bucket, RECORDINGS_S3_ACCESS_KEY_ID: 'id' }, /RECORDINGS_S3_ACCESS_KEY_ID/],
    ['a secret without its key', { ...bucket, RECORDINGS_S3_SECRET_ACCESS_KEY: 's' }, /RECORDINGS_S3_ACCESS_KEY_ID/],
    ['a prefix that is no folder', { ...bucket, RECORDINGS_S3_PREFIX: 'a' }, /RECORDINGS_S3_PREFIX/],
    ['a prefix that leads elsewhere', { ...bucket, RECORDINGS_S3_PREFIX: '/a/' }, /RECORDINGS_S3_PREFIX/],
    ['an address that is none', { ...bucket, RECORDINGS_S3_ENDPOINT: 'ftp://x' }, /RECORDINGS_S3_ENDPOINT/],
    ['a shared directory too', { ...bucket, RECORDINGS_SHARED_DIR: '/shared' }, /RECORDINGS_SHARED_DIR/],
    ['neither yes nor no', { ...bucket, RECORDINGS_S3_PATH_STYLE: 'perhaps' }, /RECORDINGS_S3_PATH_STYLE/],
  ])('is refused with %s', (_case, s3, message) => {
    expect(() => load(s3)).toThrow(message);
  });

  it('reports a mistake without a secret in the error', () => {
    expect(() => load(keys)).not.toThrow(/secret-of-s3/);
  });
});

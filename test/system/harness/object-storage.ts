import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestCertificates } from '@rtms/testing';
import S3rver from 's3rver';
import accounts from 's3rver/lib/models/account.js';

const bucket = 'recordings';

export interface KeyPair {
  id: string;
  secret: string;
}

/** An object storage that speaks HTTPS, or HTTP without certificates, with pairs of keys that tests add and delete. */
export class ObjectStorage {
  private constructor(
    private readonly server: S3rver,
    private readonly endpoint: string,
  ) {}

  static async start(folder: string, certificates?: TestCertificates): Promise<ObjectStorage> {
    const pair = certificates?.server;
    const server = new S3rver({
      ...{ address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 'objects') },
      configureBuckets: [{ name: bucket, configs: [] }],
      ...(pair && { cert: await readFile(pair.cert), key: await readFile(pair.key) }),
    });
    const { port } = await server.run();
    return new ObjectStorage(server, `${pair ? 'https' : 'http'}://127.0.0.1:${port}`);
  }

  accept({ id, secret }: KeyPair): void {
    accounts.DUMMY_ACCOUNT.createKeyPair(id, secret);
  }

  revoke({ id }: KeyPair): void {
    accounts.DUMMY_ACCOUNT.revokeAccessKey(id);
  }

  environment({ id, secret }: KeyPair): Record<string, string> {
    return {
      ...{ RECORDINGS_S3_BUCKET: bucket, RECORDINGS_S3_ENDPOINT: this.endpoint },
      ...{ RECORDINGS_S3_ACCESS_KEY_ID: id, RECORDINGS_S3_SECRET_ACCESS_KEY: secret },
    };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

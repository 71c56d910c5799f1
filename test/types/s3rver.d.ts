declare module 's3rver' {
  export interface S3rverOptions {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    configureBuckets: { name: string; configs: string[] }[];
    /** PEM. Both: it speaks HTTPS. */
    cert?: Buffer;
    key?: Buffer;
  }

  interface Context {
    method: string;
    path: string;
    status: number;
    body: unknown;
    get(header: string): string;
    req: { resume(): void };
  }

  /** An S3 service on the local disk. It extends Koa. */
  export default class S3rver {
    constructor(options: S3rverOptions);
    middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    store: { existsObject(bucket: string, key: string): Promise<boolean> };
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}

declare module 's3rver/lib/models/account.js' {
  interface Account {
    createKeyPair(accessKeyId: string, secretAccessKey: string): void;
    revokeAccessKey(accessKeyId: string): void;
  }

  const accounts: { DUMMY_ACCOUNT: Account };
  export default accounts;
}

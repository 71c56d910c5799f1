import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import { deriveKey, type HashUse } from './derive-key.js';
import { keyedHash } from './keyed-hash.js';
import { SecretVault, type SecretKeys } from './secret-vault.js';
import { sealedColumns } from './sealed-columns.js';

interface Queryable {
  query<Rows>(statement: string, parameters?: unknown[]): Promise<Rows>;
}

const rootName = 'hash-root';
const readStatement = 'SELECT sealed FROM service_secrets WHERE name = $1';
const keepStatement = 'INSERT INTO service_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING';

/**
 * Keyed hashes of what the service issues. Their key is stored, encrypted: nobody could compute the hashes anew when
 * the secret key is rotated.
 */
@Injectable()
export class KeyedHasher {
  private root: Promise<Buffer> | undefined;
  private readonly derived = new Map<HashUse, Buffer>();
  private readonly vault: SecretVault;

  constructor(
    @InjectDataSource() private readonly database: Queryable,
    @Inject(GATEWAY_CONFIG) private readonly config: SecretKeys,
  ) {
    this.vault = new SecretVault(config);
  }

  async hash(use: HashUse, value: string): Promise<Buffer> {
    const key = this.derived.get(use) ?? deriveKey(await this.loadRoot(), use);
    this.derived.set(use, key);
    return keyedHash(key, value);
  }

  /** Of somebody who guesses a secret. A subject has text that a caller typed in, which may be anything. */
  hashSubject(subject: object): Promise<Buffer> {
    return this.hash('sign-in-subject-hash', JSON.stringify(subject));
  }

  private loadRoot(): Promise<Buffer> {
    this.root ??= this.readOrKeep().catch((error: unknown) => {
      this.root = undefined;
      throw error;
    });
    return this.root;
  }

  private async readOrKeep(): Promise<Buffer> {
    return (await this.read()) ?? (await this.keep());
  }

  private async read(): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ sealed: Buffer }[]>(readStatement, [rootName]);
    return row && Buffer.from(this.vault.open(sealedColumns.hashRoot, rootName, row.sealed), 'base64');
  }

  /** The first root is the secret key of that time, under which hashes were made before there was a root. */
  private async keep(): Promise<Buffer> {
    await this.refuseGuess();
    const { secretKey } = this.config;
    const sealed = this.vault.seal(sealedColumns.hashRoot, rootName, secretKey.toString('base64'));
    await this.database.query(keepStatement, [rootName, sealed]);
    return (await this.read()) ?? secretKey;
  }

  private async refuseGuess(): Promise<void> {
    if (!this.config.previousSecretKeys?.length) return;
    const keys = await this.database.query<unknown[]>('SELECT 1 FROM api_keys LIMIT 1');
    if (keys.length > 0) {
      throw new Error('Start the gateway once with its former RTMS_SECRET_KEY alone, then rotate the secret key.');
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { GATEWAY_CONFIG } from '../../gateway.config.js';
import { deriveKey, keyedHash, type HashUse } from './cryptography.js';
import { SecretVault, type SecretKeys } from './secret-vault.js';
import { hasApiKeys, keepSecret, readSecret, type Queryable } from './secrets.repository.js';
import { sealedColumns } from './sealed-columns.js';

const rootName = 'hash-root';

/**
 * Computes keyed hashes of issued secrets. Their key is stored encrypted and stays the same when the secret key is rotated, because
 * the hashes could not be computed again.
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

  /** Hashes the subject of counted guesses. It may hold any text that a caller typed. */
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
    const sealed = await readSecret(this.database, rootName);
    return sealed && Buffer.from(this.vault.open(sealedColumns.hashRoot, rootName, sealed), 'base64');
  }

  /** The first root is the secret key itself, because earlier hashes were made with it. */
  private async keep(): Promise<Buffer> {
    await this.refuseGuess();
    const { secretKey } = this.config;
    const sealed = this.vault.seal(sealedColumns.hashRoot, rootName, secretKey.toString('base64'));
    await keepSecret(this.database, rootName, sealed);
    return (await this.read()) ?? secretKey;
  }

  private async refuseGuess(): Promise<void> {
    if (!this.config.previousSecretKeys?.length) return;
    if (await hasApiKeys(this.database)) {
      throw new Error('Start the gateway once with its former RTMS_SECRET_KEY alone, then rotate the secret key.');
    }
  }
}

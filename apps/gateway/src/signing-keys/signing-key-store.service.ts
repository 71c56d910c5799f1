import { Inject, Injectable } from '@nestjs/common';
import { generateSigningKey, type SigningKey } from '@rtms/tokens';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { deriveKey } from '../secrets/derive-key.js';
import { decrypt, encrypt } from '../secrets/encryption.js';
import { StoredSigningKey } from './signing-key.entity.js';

/** Any number that no other advisory lock of the gateway has. */
const creationLock = 7_301_001;

/** Signing keys at rest: the private halves are encrypted. */
@Injectable()
export class SigningKeyStore {
  private readonly encryptionKey: Buffer;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.encryptionKey = deriveKey(config.secretKey, 'signing-key-encryption');
  }

  /** All keys; makes the first one when there is none, once for all replicas. */
  async load(): Promise<StoredSigningKey[]> {
    const keys = await this.dataSource.manager.find(StoredSigningKey);
    if (keys.length > 0) return keys;
    return this.underLock(async manager => {
      if ((await manager.count(StoredSigningKey)) === 0) await this.add(manager);
      return manager.find(StoredSigningKey);
    });
  }

  /** Adds a key and retires the others. Nothing is kept when `beforeCommit` fails. */
  rotate(beforeCommit: (keys: StoredSigningKey[]) => Promise<void>): Promise<StoredSigningKey[]> {
    return this.underLock(async manager => {
      await manager.update(StoredSigningKey, { retiredAt: IsNull() }, { retiredAt: new Date() });
      await this.add(manager);
      const keys = await manager.find(StoredSigningKey);
      await beforeCommit(keys);
      return keys;
    });
  }

  open({ kid, publicJwk, encryptedPrivateJwk }: StoredSigningKey): SigningKey {
    const privateJwk = JSON.parse(decrypt(this.encryptionKey, encryptedPrivateJwk, kid)) as SigningKey['privateJwk'];
    return { kid, publicJwk: publicJwk, privateJwk };
  }

  private underLock<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async manager => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [creationLock]);
      return work(manager);
    });
  }

  private async add(manager: EntityManager): Promise<void> {
    const { kid, publicJwk, privateJwk } = await generateSigningKey();
    const encryptedPrivateJwk = encrypt(this.encryptionKey, JSON.stringify(privateJwk), kid);
    const row = { kid, publicJwk: { ...publicJwk }, encryptedPrivateJwk, createdAt: new Date(), retiredAt: null };
    await manager.insert(StoredSigningKey, row);
  }
}

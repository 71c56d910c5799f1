import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { generateSigningKey, type SigningKey } from '@rtms/tokens';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { StoredSigningKey } from './signing-key.entity.js';

/** No other advisory lock of the gateway has this number. */
const creationLock = 7_301_001;

/** Stores signing keys with encrypted private halves. */
@Injectable()
export class SigningKeysRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns all keys. Creates the first key if there is none; of several replicas one creates it. */
  async load(): Promise<StoredSigningKey[]> {
    const keys = await this.dataSource.manager.find(StoredSigningKey);
    if (keys.length > 0) return keys;
    return this.underLock(async manager => {
      if ((await manager.count(StoredSigningKey)) === 0) await this.add(manager);
      return manager.find(StoredSigningKey);
    });
  }

  /** Adds a key and retires the others. Rolls back when `beforeCommit` fails. */
  rotate(beforeCommit: (keys: StoredSigningKey[]) => Promise<void>): Promise<StoredSigningKey[]> {
    return this.underLock(async manager => {
      await manager.update(StoredSigningKey, { retiredAt: IsNull() }, { retiredAt: new Date(this.clock.now()) });
      await this.add(manager);
      const keys = await manager.find(StoredSigningKey);
      await beforeCommit(keys);
      return keys;
    });
  }

  open({ kid, publicJwk, encryptedPrivateJwk }: StoredSigningKey): SigningKey {
    const opened = this.vault.open(sealedColumns.signingKey, kid, encryptedPrivateJwk);
    return { kid, publicJwk, privateJwk: JSON.parse(opened) as SigningKey['privateJwk'] };
  }

  private underLock<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async manager => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [creationLock]);
      return work(manager);
    });
  }

  private async add(manager: EntityManager): Promise<void> {
    const { kid, publicJwk, privateJwk } = await generateSigningKey();
    const encryptedPrivateJwk = this.vault.seal(sealedColumns.signingKey, kid, JSON.stringify(privateJwk));
    const row = {
      kid,
      publicJwk: { ...publicJwk },
      encryptedPrivateJwk,
      createdAt: new Date(this.clock.now()),
      retiredAt: null,
    };
    await manager.insert(StoredSigningKey, row);
  }
}

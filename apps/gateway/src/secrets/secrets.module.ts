import { Global, Module } from '@nestjs/common';
import { KeyedHasher } from './keyed-hasher.js';
import { SecretVault } from './secret-vault.js';

/** Encryption and hashing of what is stored, for every module. */
@Global()
@Module({
  providers: [SecretVault, KeyedHasher],
  exports: [SecretVault, KeyedHasher],
})
export class SecretsModule {}

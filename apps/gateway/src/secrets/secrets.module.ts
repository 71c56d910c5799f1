import { Global, Module } from '@nestjs/common';
import { KeyedHasher } from './keyed-hasher.js';
import { SecretRotationService } from './secret-rotation.service.js';
import { SecretVault } from './secret-vault.js';

/** Encryption and hashing of what is stored, for every module. */
@Global()
@Module({
  providers: [SecretVault, KeyedHasher, SecretRotationService],
  exports: [SecretVault, KeyedHasher, SecretRotationService],
})
export class SecretsModule {}

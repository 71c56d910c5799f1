import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaTokens } from './media-tokens.service.js';
import { StoredSigningKey } from './signing-key.entity.js';
import { SigningKeyStore } from './signing-key-store.service.js';
import { SigningKeysService } from './signing-keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoredSigningKey])],
  providers: [SigningKeyStore, SigningKeysService, MediaTokens],
  exports: [SigningKeysService, MediaTokens],
})
export class SigningKeysModule {}

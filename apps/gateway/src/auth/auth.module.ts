import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';

@Module({
  imports: [AccountsModule, DomainsModule],
  providers: [Authenticator, { provide: APP_GUARD, useClass: AuthGuard }],
  exports: [Authenticator],
})
export class AuthModule {}

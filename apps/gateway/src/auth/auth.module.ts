import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DashboardSessionsModule } from '../dashboard-sessions/dashboard-sessions.module.js';
import { DisposableKeysModule } from '../disposable-keys/disposable-keys.module.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { KeyLookUp } from './key-look-up.service.js';

@Module({
  imports: [DashboardSessionsModule, DisposableKeysModule],
  providers: [Authenticator, KeyLookUp, { provide: APP_GUARD, useClass: AuthGuard }],
  exports: [Authenticator],
})
export class AuthModule {}

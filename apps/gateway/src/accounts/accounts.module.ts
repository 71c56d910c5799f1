import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Account } from './account/account.entity.js';
import { AccountsService } from './account/accounts.service.js';
import { AuditEntry } from './audit/audit-entry.entity.js';
import { AuditLogService } from './audit/audit-log.service.js';
import { AdminAuditController, AuditController } from './audit/audit.controller.js';
import { AuditInterceptor } from './audit/audit.interceptor.js';
import { AuthGuard } from './authentication/auth.guard.js';
import { Authenticator } from './authentication/authenticator.js';
import { FoundKeysRepository } from './authentication/found-keys.repository.js';
import { BalanceController } from './balance/balance.controller.js';
import { BalancesRepository } from './balance/balances.repository.js';
import { UsageLedgerRepository } from './balance/usage-ledger.repository.js';
import { DisposableKey, DisposableKeyUsage } from './disposable-keys/disposable-key.entity.js';
import { DisposableKeysController } from './disposable-keys/disposable-keys.controller.js';
import { DisposableKeysRepository } from './disposable-keys/disposable-keys.repository.js';
import { DisposableKeysService } from './disposable-keys/disposable-keys.service.js';
import { KeyUsageService } from './disposable-keys/key-usage.service.js';
import { Domain } from './domains/domain.entity.js';
import { DomainsController } from './domains/domains.controller.js';
import { DomainsService } from './domains/domains.service.js';
import { AccountEntitlement } from './entitlements/account-entitlement.entity.js';
import { EntitlementsService } from './entitlements/entitlements.service.js';
import { AccountFeature, PlatformFeature } from './features/feature.entities.js';
import { FeaturesService } from './features/features.service.js';
import { ApiKey } from './keys/api-key.entity.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { AccountLimitRow } from './limits/account-limit.entity.js';
import { AccountLimitsService } from './limits/account-limits.service.js';
import { AccountQuotasService } from './limits/account-quotas.service.js';
import { DashboardCookies } from './sign-in/dashboard-cookies.js';
import { DashboardSessionController } from './sign-in/dashboard-session.controller.js';
import { DashboardSessionsService } from './sign-in/dashboard-sessions.service.js';
import { DashboardTotpController } from './sign-in/dashboard-totp.controller.js';
import { KnownDevicesService } from './sign-in/known-devices.service.js';
import { SecondFactorService } from './sign-in/second-factor.service.js';
import { SessionAuthenticator } from './sign-in/session-authenticator.js';
import { SetupController } from './sign-in/setup.controller.js';
import { SignInAttemptsService } from './sign-in/sign-in-attempts.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { MediaTokensService } from './signing-keys/media-tokens.service.js';
import { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';
import { StoredSigningKey } from './signing-keys/signing-key.entity.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';
import { SubUser } from './sub-users/sub-user.entity.js';
import { SubUsersController } from './sub-users/sub-users.controller.js';
import { SubUsersService } from './sub-users/sub-users.service.js';
import {
  DashboardInvitation,
  DashboardPasswordReset,
  DashboardRecoveryCode,
  DashboardSession,
  DashboardUser,
} from './users/dashboard-user.entities.js';
import { DashboardUsersService } from './users/dashboard-users.service.js';
import { InvitationsController } from './team/invitations.controller.js';
import { InvitationsService } from './team/invitations.service.js';
import { PasswordResetsService } from './users/password-resets.service.js';
import { SetupService } from './users/setup.service.js';
import { TeamController } from './team/team.controller.js';
import { TeamService } from './team/team.service.js';

const services = [
  AccountsService,
  AuditLogService,
  Authenticator,
  FoundKeysRepository,
  BalancesRepository,
  UsageLedgerRepository,
  DisposableKeysRepository,
  DisposableKeysService,
  KeyUsageService,
  DomainsService,
  EntitlementsService,
  FeaturesService,
  ApiKeysService,
  AccountLimitsService,
  AccountQuotasService,
  DashboardCookies,
  DashboardSessionsService,
  KnownDevicesService,
  SecondFactorService,
  SessionAuthenticator,
  SignInAttemptsService,
  SignInService,
  MediaTokensService,
  SigningKeysRepository,
  SigningKeysService,
  SubUsersService,
  DashboardUsersService,
  PasswordResetsService,
  SetupService,
  TeamService,
  InvitationsService,
];

/** Accounts with their keys, sub-users, domains, users and minutes, and the authentication of requests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Account,
      ApiKey,
      AuditEntry,
      DisposableKey,
      DisposableKeyUsage,
      Domain,
      AccountEntitlement,
      PlatformFeature,
      AccountFeature,
      AccountLimitRow,
      StoredSigningKey,
      SubUser,
      DashboardUser,
      DashboardSession,
      DashboardRecoveryCode,
      DashboardPasswordReset,
      DashboardInvitation,
    ]),
  ],
  controllers: [
    DomainsController,
    SubUsersController,
    DisposableKeysController,
    BalanceController,
    AuditController,
    AdminAuditController,
    DashboardSessionController,
    DashboardTotpController,
    SetupController,
    TeamController,
    InvitationsController,
  ],
  providers: [
    ...services,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
  ],
  exports: services,
})
export class AccountsModule {}

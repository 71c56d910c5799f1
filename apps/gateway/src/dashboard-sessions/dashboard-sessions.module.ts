import { Module } from '@nestjs/common';
import { DashboardUsersModule } from '../dashboard-users/dashboard-users.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { DashboardCookies } from './dashboard-cookies.js';
import { DashboardSessionController } from './dashboard-session.controller.js';
import { DashboardSessions } from './dashboard-sessions.service.js';
import { DashboardTotpController } from './dashboard-totp.controller.js';
import { KnownDevices } from './known-devices.service.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { SecondFactor } from './second-factor.service.js';
import { SessionAuthenticator } from './session-authenticator.js';
import { SignInAttempts } from './sign-in-attempts.store.js';
import { SignInService } from './sign-in.service.js';
import { TotpService } from './totp.service.js';

/** Who is signed in to the dashboard. */
@Module({
  imports: [DashboardUsersModule, RateLimitsModule],
  controllers: [DashboardSessionController, DashboardTotpController],
  providers: [
    DashboardCookies,
    DashboardSessions,
    KnownDevices,
    RecoveryCodes,
    SecondFactor,
    SessionAuthenticator,
    SignInAttempts,
    SignInService,
    TotpService,
  ],
  exports: [DashboardSessions, SessionAuthenticator],
})
export class DashboardSessionsModule {}

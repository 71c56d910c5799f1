import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import type { DashboardUser } from '../users/dashboard-user.entities.js';
import { DashboardUsersService } from '../users/dashboard-users.service.js';
import { isPassword, normaliseEmail } from '../users/credentials.js';
import { clientOf } from '@rtms/http';
import { DashboardCookies, readSessionCookie } from './dashboard-cookies.js';
import { DashboardSessionsService } from './dashboard-sessions.service.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import type { SignInDto } from './sign-in.dto.js';
import { KnownDevicesService } from './known-devices.service.js';
import { SecondFactorService } from './second-factor.service.js';
import { SignInAttemptsService, type AttemptSubject } from './sign-in-attempts.service.js';

/** Checks email address, password and second factor, at sign-in and before sensitive actions. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly sessions: DashboardSessionsService,
    private readonly attempts: SignInAttemptsService,
    private readonly secondFactor: SecondFactorService,
    private readonly cookies: DashboardCookies,
    private readonly devices: KnownDevicesService,
  ) {}

  /** Opens a session and ends the browser's former session. */
  async signIn(request: Request, response: Response, dto: SignInDto): Promise<SignedIn> {
    const subjects = await this.subjectsOf(request, dto.email);
    await this.attempts.count(response, ...subjects);
    const user = await this.requireUser(dto);
    await this.requireSecondFactor(user, dto.code ?? undefined);
    await this.attempts.forgive(...subjects);
    await this.endFormer(request);
    const token = await this.sessions.open(user.id);
    const signedIn = await this.sessions.find(token);
    if (!signedIn) throw wrongCredentials();
    if (signedIn.account?.state === 'disabled') {
      await this.sessions.close(signedIn.sessionID);
      throw new ServiceError('account_disabled');
    }
    const { userID, email, account } = signedIn;
    request.provedUser = { userID, email, accountID: account?.accountID ?? null };
    this.cookies.setSession(request, response, token);
    this.cookies.setDevices(request, response, await this.devices.remember(request.headers.cookie, email));
    return signedIn;
  }

  /** Checks the password again, for actions that need more proof than an open browser. */
  async requirePassword(response: Response, { userID }: SignedIn, password: string): Promise<void> {
    await this.attempts.count(response, { userID });
    const { passwordHash } = await this.users.find(userID);
    if (!(await isPassword(passwordHash, password))) {
      throw new ServiceError('wrong_password');
    }
    await this.attempts.forgive({ userID });
  }

  async requireCode(response: Response, { userID }: SignedIn, code: string): Promise<void> {
    await this.attempts.count(response, { userID });
    if (!(await this.secondFactor.take(userID, code))) {
      throw new ServiceError('wrong_code');
    }
    await this.attempts.forgive({ userID });
  }

  /** Counts a known device apart, so that strangers cannot use up its attempts. */
  private async subjectsOf({ ip, headers }: Request, email: string): Promise<AttemptSubject[]> {
    const device = await this.devices.find(headers.cookie, email);
    return device === undefined ? [{ address: clientOf(ip) }, { email: normaliseEmail(email) }] : [{ device }];
  }

  /** Refuses an unknown email address and a wrong password with one error, so that addresses cannot be probed. */
  private async requireUser({ email, password }: SignInDto): Promise<DashboardUser> {
    const user = await this.users.findByEmail(email);
    const isRight = await isPassword(user?.passwordHash, password);
    if (!user || !isRight) throw wrongCredentials();
    return user;
  }

  private async requireSecondFactor({ id, totpEnabled }: DashboardUser, code: string | undefined): Promise<void> {
    if (!totpEnabled) return;
    if (code === undefined) {
      throw new ServiceError(
        'second_factor_required',
        'Send the six digits of the second factor too, or a recovery code.',
      );
    }
    if (!(await this.secondFactor.take(id, code))) throw wrongCredentials();
  }

  private async endFormer(request: Request): Promise<void> {
    const token = readSessionCookie(request.headers.cookie);
    const former = token === undefined ? undefined : await this.sessions.find(token);
    if (former) await this.sessions.close(former.sessionID);
  }
}

function wrongCredentials(): ServiceError {
  return new ServiceError('invalid_credentials', 'The email address, the password or the code is wrong.');
}

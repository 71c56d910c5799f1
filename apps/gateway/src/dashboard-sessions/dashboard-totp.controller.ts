import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import {
  ServiceError,
  type RecoveryCodesAnswer,
  type SecondFactorAnswer,
  type TotpConfirmedAnswer,
} from '@rtms/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import { DashboardUsersService } from '../dashboard-users/dashboard-users.service.js';
import { Answers, count, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import type { SessionAnswer } from './dashboard-session.controller.js';
import type { SignedIn } from './dashboard-sessions.service.js';
import { BothFactorsDto, TotpCodeDto } from './dto/sign-in.dto.js';
import { presentSession, sessionSchema } from './present-session.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { SignInService } from './sign-in.service.js';
import { CurrentUser, DashboardFor } from './signed-in.decorators.js';
import { TotpService, type TotpSetup } from './totp.service.js';

const setupSchema = z.object({ secret: z.string(), uri: z.string() }).meta({ id: 'TotpSetup' });

const recoveryCodes = z.array(z.string());
const confirmedSchema: z.ZodType<TotpConfirmedAnswer> = z.strictObject({
  success: z.literal(true),
  session: sessionSchema,
  recoveryCodes,
});
const stateSchema = z.object({ enabled: z.boolean(), recoveryCodesLeft: count }).meta({ id: 'SecondFactor' });

/** The user's own second factor. */
@Controller('dashboard/api/totp')
@DashboardFor('user')
export class DashboardTotpController {
  constructor(
    private readonly totp: TotpService,
    private readonly signIn: SignInService,
    private readonly users: DashboardUsersService,
    private readonly recovery: RecoveryCodes,
  ) {}

  @Get()
  @Answers(one('secondFactor', stateSchema))
  async get(@CurrentUser() { userID, totpEnabled }: SignedIn): Promise<SecondFactorAnswer> {
    const recoveryCodesLeft = await this.recovery.left(userID);
    return presentOne('secondFactor', { enabled: totpEnabled, recoveryCodesLeft });
  }

  /** The secret stands in this answer and nowhere else. */
  @Post()
  @Answers(one('totp', setupSchema), 'already_exists')
  async setUp(@CurrentUser() { userID, email }: SignedIn): Promise<OneAnswer<'totp', TotpSetup>> {
    return presentOne('totp', await this.totp.setUp(userID, email));
  }

  /** The recovery codes stand in this answer and nowhere else. */
  @Post('confirm')
  @HttpCode(200)
  @Answers(confirmedSchema, 'wrong_code', 'already_exists')
  async confirm(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { code }: TotpCodeDto,
  ): Promise<TotpConfirmedAnswer> {
    if (user.totpEnabled) throw new ServiceError('already_exists', 'A second factor is in force already.');
    await this.signIn.requireCode(response, user, code);
    const made = await this.recovery.renew(user.userID);
    return { ...presentOne('session', presentSession({ ...user, totpEnabled: true })), recoveryCodes: made };
  }

  /** Those from before are void. The new ones stand in this answer and nowhere else. */
  @Post('recovery-codes')
  @Answers(one('recoveryCodes', recoveryCodes), 'wrong_password', 'wrong_code', 'no_second_factor')
  async renewCodes(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() proof: BothFactorsDto,
  ): Promise<RecoveryCodesAnswer> {
    await this.requireBoth(response, user, proof);
    return presentOne('recoveryCodes', await this.recovery.renew(user.userID));
  }

  @Delete()
  @Answers(one('session', sessionSchema), 'wrong_password', 'wrong_code', 'no_second_factor')
  async end(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() proof: BothFactorsDto,
  ): Promise<SessionAnswer> {
    await this.requireBoth(response, user, proof);
    await this.users.resetTotp(user.userID);
    return presentOne('session', presentSession({ ...user, totpEnabled: false }));
  }

  private async requireBoth(response: Response, user: SignedIn, { currentPassword, code }: BothFactorsDto) {
    if (!user.totpEnabled) throw new ServiceError('no_second_factor', 'No second factor is in force.');
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.signIn.requireCode(response, user, code);
  }
}

import { Body, Controller, Delete, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { DashboardUsersService } from '../dashboard-users/dashboard-users.service.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import type { SessionAnswer } from './dashboard-session.controller.js';
import type { SignedIn } from './dashboard-sessions.service.js';
import { EndTotpDto, TotpCodeDto } from './dto/sign-in.dto.js';
import { presentSession, sessionSchema } from './present-session.js';
import { SignInService } from './sign-in.service.js';
import { CurrentUser, DashboardFor } from './signed-in.decorators.js';
import { TotpService, type TotpSetup } from './totp.service.js';

const setupSchema = z.object({ secret: z.string(), uri: z.string() }).meta({ id: 'TotpSetup' });

/** The user's own second factor. */
@Controller('dashboard/api/totp')
@DashboardFor('user')
export class DashboardTotpController {
  constructor(
    private readonly totp: TotpService,
    private readonly signIn: SignInService,
    private readonly users: DashboardUsersService,
  ) {}

  /** The secret stands in this answer and nowhere else. */
  @Post()
  @Answers(one('totp', setupSchema), 'already_exists')
  async setUp(@CurrentUser() { userID, email }: SignedIn): Promise<OneAnswer<'totp', TotpSetup>> {
    return presentOne('totp', await this.totp.setUp(userID, email));
  }

  @Post('confirm')
  @HttpCode(200)
  @Answers(one('session', sessionSchema), 'wrong_code')
  async confirm(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { code }: TotpCodeDto,
  ): Promise<SessionAnswer> {
    await this.signIn.requireCode(response, user, code);
    return presentOne('session', presentSession({ ...user, totpEnabled: true }));
  }

  @Delete()
  @Answers(one('session', sessionSchema), 'wrong_password', 'wrong_code')
  async end(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { currentPassword, code }: EndTotpDto,
  ): Promise<SessionAnswer> {
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.signIn.requireCode(response, user, code);
    await this.users.resetTotp(user.userID);
    return presentOne('session', presentSession({ ...user, totpEnabled: false }));
  }
}

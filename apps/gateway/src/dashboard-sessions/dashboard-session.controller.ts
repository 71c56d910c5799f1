import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { DashboardSession } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { clientOf } from '@rtms/http';
import { DashboardUsersService } from '../dashboard-users/dashboard-users.service.js';
import { PasswordResets } from '../dashboard-users/password-resets.service.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { DashboardCookies } from './dashboard-cookies.js';
import { DashboardSessions, type SignedIn } from './dashboard-sessions.service.js';
import { ChangePasswordDto, ConfirmPasswordDto, ResetPasswordDto, SignInDto } from './dto/sign-in.dto.js';
import { presentSession, sessionSchema } from './present-session.js';
import { SignInAttempts } from './sign-in-attempts.store.js';
import { SignInService } from './sign-in.service.js';
import { CurrentUser, DashboardFor } from './signed-in.decorators.js';

export type SessionAnswer = OneAnswer<'session', DashboardSession>;

const signedOutSchema = z.object({ success: z.literal(true), signedOut: z.literal(true) });
const resetSchema = z.object({ success: z.literal(true), passwordReset: z.literal(true) });

/** Signing in and out, and who is signed in. */
@Controller('dashboard/api')
@DashboardFor('user')
export class DashboardSessionController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: DashboardSessions,
    private readonly users: DashboardUsersService,
    private readonly resets: PasswordResets,
    private readonly attempts: SignInAttempts,
    private readonly cookies: DashboardCookies,
  ) {}

  @Post('session')
  @DashboardFor('anyone')
  @Answers(
    one('session', sessionSchema),
    ...(['invalid_credentials', 'second_factor_required', 'account_disabled', 'origin_not_allowed'] as const),
  )
  async open(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() dto: SignInDto,
  ): Promise<SessionAnswer> {
    return presentOne('session', presentSession(await this.signIn.signIn(request, response, dto)));
  }

  @Get('session')
  @Answers(one('session', sessionSchema))
  get(@CurrentUser() user: SignedIn): SessionAnswer {
    return presentOne('session', presentSession(user));
  }

  @Delete('session')
  @Answers(signedOutSchema)
  async close(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() { sessionID }: SignedIn,
  ): Promise<z.infer<typeof signedOutSchema>> {
    await this.sessions.close(sessionID);
    this.cookies.clearSession(request, response);
    return { success: true, signedOut: true };
  }

  /** For ten minutes the session may make new keys and passwords. */
  @Post('session/confirmation')
  @HttpCode(200)
  @Answers(one('session', sessionSchema), 'wrong_password')
  async confirm(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { currentPassword }: ConfirmPasswordDto,
  ): Promise<SessionAnswer> {
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.sessions.confirm(user.sessionID);
    return presentOne('session', presentSession(user));
  }

  /** Every other session of the user ends. */
  @Post('password')
  @HttpCode(200)
  @Answers(one('session', sessionSchema), 'wrong_password')
  async changePassword(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { currentPassword, newPassword }: ChangePasswordDto,
  ): Promise<SessionAnswer> {
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.users.setPassword(user.userID, newPassword, user.sessionID);
    return presentOne('session', presentSession(user));
  }

  /** A new password by the token of a reset link, which works once. Every session of the user ends. */
  @Post('password-reset')
  @HttpCode(200)
  @DashboardFor('anyone')
  @Answers(resetSchema, 'invalid_credentials', 'origin_not_allowed')
  async resetPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { token, newPassword }: ResetPasswordDto,
  ): Promise<z.infer<typeof resetSchema>> {
    const subject = { address: clientOf(request.ip) };
    await this.attempts.count(response, subject);
    const { id: userID, email, accountID } = await this.resets.take(token, newPassword);
    await this.attempts.forgive(subject, { email });
    request.provedUser = { userID, email, accountID };
    return { success: true, passwordReset: true };
  }
}

import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { clientOf } from '@rtms/http';
import { DashboardUsersService } from '../users/dashboard-users.service.js';
import { PasswordResetsService } from '../users/password-resets.service.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one, success } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { DashboardCookies } from './dashboard-cookies.js';
import { DashboardSessionsService } from './dashboard-sessions.service.js';
import {
  ChangePasswordDto,
  ConfirmPasswordDto,
  presentSession,
  ResetPasswordDto,
  sessionSchema,
  SignInDto,
} from './sign-in.dto.js';
import { SignInAttemptsService } from './sign-in-attempts.service.js';
import { SignInService } from './sign-in.service.js';
import { CurrentUser, DashboardFor, type SignedIn } from '../../platform/auth/signed-in.decorators.js';

const signedOutSchema = z.object({ success, signedOut: z.literal(true).describe('The session ended.') });
const resetSchema = z.object({ success, passwordReset: z.literal(true).describe('The new password is set.') });

@ApiTag({ name: 'Session', description: 'Signing in and out of the dashboard.' })
@Controller('dashboard/api')
@DashboardFor('user')
export class DashboardSessionController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: DashboardSessionsService,
    private readonly users: DashboardUsersService,
    private readonly resets: PasswordResetsService,
    private readonly attempts: SignInAttemptsService,
    private readonly cookies: DashboardCookies,
  ) {}

  @Post('session')
  @DashboardFor('anyone')
  @ApiOperation({ operationId: 'signIn', summary: 'Sign in', description: 'Sets the session cookie.' })
  @ApiAnswer(
    one('session', sessionSchema),
    ...(['invalid_credentials', 'second_factor_required', 'account_disabled', 'origin_not_allowed'] as const),
  )
  async open(@Req() request: Request, @Res({ passthrough: true }) response: Response, @Body() dto: SignInDto) {
    return presentOne('session', presentSession(await this.signIn.signIn(request, response, dto)));
  }

  @Get('session')
  @DashboardFor('anyone')
  @ApiOperation({
    operationId: 'getSession',
    summary: 'Read the session',
    description: '`session` is null if nobody is signed in.',
  })
  @ApiAnswer(one('session', sessionSchema.nullable()), 'account_disabled', 'origin_not_allowed')
  get(@Req() { signedIn }: Request) {
    return presentOne('session', signedIn ? presentSession(signedIn) : null);
  }

  @Delete('session')
  @ApiOperation({ operationId: 'signOut', summary: 'Sign out', description: 'Ends the session and clears its cookie.' })
  @ApiAnswer(signedOutSchema)
  async close(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() { sessionID }: SignedIn,
  ) {
    await this.sessions.close(sessionID);
    this.cookies.clearSession(request, response);
    return { success: true, signedOut: true } as const;
  }

  @Post('session/confirmation')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'confirmPassword',
    summary: 'Confirm the password',
    description: 'For ten minutes, the session may create keys and passwords.',
  })
  @ApiAnswer(one('session', sessionSchema), 'wrong_password')
  async confirm(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { currentPassword }: ConfirmPasswordDto,
  ) {
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.sessions.confirm(user.sessionID);
    return presentOne('session', presentSession(user));
  }

  @Post('password')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change the password',
    description: 'Every other session of the user ends.',
  })
  @ApiAnswer(one('session', sessionSchema), 'wrong_password')
  async changePassword(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { currentPassword, newPassword }: ChangePasswordDto,
  ) {
    await this.signIn.requirePassword(response, user, currentPassword);
    await this.users.setPassword(user.userID, newPassword, user.sessionID);
    return presentOne('session', presentSession(user));
  }

  @Post('password-reset')
  @HttpCode(200)
  @DashboardFor('anyone')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset link',
    description: 'The token of a reset link works once. Every session of the user ends.',
  })
  @ApiAnswer(resetSchema, 'invalid_credentials', 'origin_not_allowed')
  async resetPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { token, newPassword }: ResetPasswordDto,
  ) {
    const subject = { address: clientOf(request.ip) };
    await this.attempts.count(response, subject);
    const { id: userID, email, accountID } = await this.resets.take(token, newPassword);
    await this.attempts.forgive(subject, { email });
    request.provedUser = { userID, email, accountID };
    return { success: true, passwordReset: true } as const;
  }
}

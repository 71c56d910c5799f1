import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import {
  ServiceError,
  type RecoveryCodesAnswer,
  type SecondFactorAnswer,
  type TotpConfirmedAnswer,
} from '@rtms/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import { DashboardUsersService } from '../users/dashboard-users.service.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { count, one, success } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { BothFactorsDto, presentSession, sessionSchema, TotpCodeDto } from './sign-in.dto.js';
import { SignInService } from './sign-in.service.js';
import { CurrentUser, DashboardFor, type SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { SecondFactorService } from './second-factor.service.js';

const setupSchema = z
  .object({
    secret: z.string().describe('Secret of the second factor, in Base32.'),
    uri: z.string().describe('The secret as an otpauth address.'),
  })
  .meta({ id: 'TotpSetup', description: 'A second factor that waits for its first code.' });

const recoveryCodes = z.array(z.string()).describe('Recovery codes, each for one use.');
const confirmedSchema: z.ZodType<TotpConfirmedAnswer> = z.strictObject({
  success,
  session: sessionSchema,
  recoveryCodes,
});
const stateSchema = z
  .object({
    enabled: z.boolean().describe('Whether signing in needs a second factor.'),
    recoveryCodesLeft: count.describe('Number of unused recovery codes.'),
  })
  .meta({ id: 'SecondFactor', description: 'State of the second factor.' });

/** The user's own second factor. */
@ApiTag({ name: 'Session' })
@Controller('dashboard/api/totp')
@DashboardFor('user')
export class DashboardTotpController {
  constructor(
    private readonly secondFactor: SecondFactorService,
    private readonly signIn: SignInService,
    private readonly users: DashboardUsersService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getSecondFactor', summary: 'Read the state of the second factor' })
  @ApiAnswer(one('secondFactor', stateSchema))
  async get(@CurrentUser() { userID, totpEnabled }: SignedIn): Promise<SecondFactorAnswer> {
    const recoveryCodesLeft = await this.secondFactor.countRecoveryCodes(userID);
    return presentOne('secondFactor', { enabled: totpEnabled, recoveryCodesLeft });
  }

  @Post()
  @ApiOperation({
    operationId: 'setUpTotp',
    summary: 'Set up a second factor',
    description: 'This answer alone contains the secret. Confirm a code to activate the second factor.',
  })
  @ApiAnswer(one('totp', setupSchema), 'already_exists')
  async setUp(@CurrentUser() { userID, email }: SignedIn) {
    return presentOne('totp', await this.secondFactor.setUp(userID, email));
  }

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'confirmTotp',
    summary: 'Activate the second factor',
    description: 'This answer alone contains the recovery codes.',
  })
  @ApiAnswer(confirmedSchema, 'wrong_code', 'already_exists')
  async confirm(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() { code }: TotpCodeDto,
  ) {
    if (user.totpEnabled) throw new ServiceError('already_exists', 'A second factor is in force already.');
    await this.signIn.requireCode(response, user, code);
    const made = await this.secondFactor.renewRecoveryCodes(user.userID);
    return { ...presentOne('session', presentSession({ ...user, totpEnabled: true })), recoveryCodes: made };
  }

  @Post('recovery-codes')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'The former codes become void. This answer alone contains the new codes.',
  })
  @ApiAnswer(one('recoveryCodes', recoveryCodes), 'wrong_password', 'wrong_code', 'no_second_factor')
  async renewCodes(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() proof: BothFactorsDto,
  ): Promise<RecoveryCodesAnswer> {
    await this.requireBoth(response, user, proof);
    return presentOne('recoveryCodes', await this.secondFactor.renewRecoveryCodes(user.userID));
  }

  @Delete()
  @ApiOperation({ operationId: 'deleteTotp', summary: 'Remove the second factor' })
  @ApiAnswer(one('session', sessionSchema), 'wrong_password', 'wrong_code', 'no_second_factor')
  async end(
    @Res({ passthrough: true }) response: Response,
    @CurrentUser() user: SignedIn,
    @Body() proof: BothFactorsDto,
  ) {
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

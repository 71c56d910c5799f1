import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { clientOf } from '@rtms/http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DashboardFor } from '../../platform/auth/signed-in.decorators.js';
import { one, success } from '../../platform/http/answers.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { Dto } from '../../platform/http/dto.js';
import { matching } from '../../platform/http/fields.js';
import { presentOne } from '../../platform/http/present.js';
import { email, newPassword } from '../users/dashboard-user.dto.js';
import { setupCodeForm, SetupService } from '../users/setup.service.js';
import { SignInAttemptsService } from './sign-in-attempts.service.js';

class CreateFirstAdministratorDto extends Dto({
  code: matching(setupCodeForm, 'must be the characters after the # of the set-up link.').meta({
    description: 'The characters after the # of the set-up link.',
    examples: ['m9x2k4ab-V1StGXR8Z5jdHi6BmyT0aB'],
  }),
  email,
  newPassword: newPassword.meta({ description: 'Password of the administrator.', examples: ['a-longer-password'] }),
}) {}

const setupSchema = z
  .object({ isEmpty: z.boolean().describe('Whether no dashboard user exists, so that nobody can sign in.') })
  .meta({ id: 'Setup', description: 'Whether the installation is set up.' });

const createdSchema = z.object({
  success,
  email: z.string().describe('E-mail address with which the administrator signs in.'),
});

@ApiTag({ name: 'Set-up', description: 'The first administrator of an installation.' })
@Controller('dashboard/api/setup')
@DashboardFor('anyone')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly attempts: SignInAttemptsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getSetup', summary: 'Find out whether the installation has users' })
  @ApiAnswer(one('setup', setupSchema))
  async get() {
    return presentOne('setup', { isEmpty: await this.setup.isEmpty() });
  }

  @Post()
  @ApiOperation({
    operationId: 'createFirstAdministrator',
    summary: 'Create the first administrator',
    description:
      'Needs the code of a set-up link (`rtms-admin setup-link`). It works once, within an hour. Sign in with the e-mail address and the password afterwards.',
  })
  @ApiAnswer(createdSchema, 'invalid_credentials', 'already_exists', 'name_taken', 'origin_not_allowed')
  async create(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { code, email: address, newPassword: password }: CreateFirstAdministratorDto,
  ) {
    const subject = { address: clientOf(request.ip) };
    await this.attempts.count(response, subject);
    const { id: userID, email: stored } = await this.setup.createAdministrator(code, address, password);
    await this.attempts.forgive(subject);
    request.provedUser = { userID, email: stored, accountID: null };
    return { success: true, email: stored } as const;
  }
}

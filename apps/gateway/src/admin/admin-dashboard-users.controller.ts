import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { isAccountRole, ServiceError, type DashboardRole } from '@rtms/contracts';
import { z } from 'zod';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { DashboardUsersService } from '../accounts/users/dashboard-users.service.js';
import { TeamService } from '../accounts/team/team.service.js';
import { PasswordResetsService } from '../accounts/users/password-resets.service.js';
import {
  CreateDashboardUserDto,
  dashboardUserSchema,
  issuedUserSchema,
  presentResetLink,
  resetLinkSchema,
  presentDashboardUser,
  presentIssuedUser,
} from '../accounts/users/dashboard-user.dto.js';
import { AsksPassword } from '../accounts/sign-in/recent-password.guard.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { SetupService } from '../accounts/users/setup.service.js';
import { deleted, list, one, time } from '../platform/http/answers.js';
import { PageQuery, type Page } from '../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne, presentTime } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';

@ApiTag({ name: 'Dashboard users', description: 'Users who sign in to the dashboard.' })
@Controller('admin/v1/dashboard-users')
@AdministratorOnly()
export class AdminDashboardUsersController {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly accounts: AccountsService,
    private readonly resets: PasswordResetsService,
    private readonly team: TeamService,
  ) {}

  @AsksPassword()
  @IdempotentPost()
  @ApiOperation({
    operationId: 'createDashboardUser',
    summary: 'Create a dashboard user',
    description: 'This answer alone contains the password.',
  })
  @ApiAnswer(one('user', issuedUserSchema), 'name_taken')
  async create(@Body() { accountID, password, ...dto }: CreateDashboardUserDto) {
    const owned = await this.accountOf(dto.role, accountID ?? null);
    return presentIssuedUser(await this.users.create({ ...dto, password: password ?? undefined, accountID: owned }));
  }

  @Get()
  @ApiOperation({ operationId: 'listDashboardUsers', summary: 'List dashboard users', description: 'Newest first.' })
  @ApiAnswer(list('users', dashboardUserSchema))
  async list(@PageQuery() page: Page) {
    return presentList('users', await this.users.list(page), page, presentDashboardUser);
  }

  @AsksPassword()
  @IdempotentPost(':userID/reset-password')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resetDashboardUserPassword',
    summary: 'Set a new random password',
    description: 'This answer alone contains the password. Every session of the user ends.',
  })
  @ApiAnswer(one('user', issuedUserSchema))
  async resetPassword(@Param('userID') userID: string) {
    return presentIssuedUser(await this.users.resetPassword(userID));
  }

  @AsksPassword()
  @IdempotentPost(':userID/reset-link')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createPasswordResetLink',
    summary: 'Create a password reset link',
    description:
      'The link works once and for one hour. This answer alone contains it; a former link becomes void. The sessions of the user end when the link is used.',
  })
  @ApiAnswer(one('resetLink', resetLinkSchema))
  async issueResetLink(@Param('userID') userID: string) {
    const user = await this.users.find(userID);
    return presentOne('resetLink', presentResetLink(user, await this.resets.issue(userID)));
  }

  @IdempotentPost(':userID/reset-totp')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'deleteDashboardUserTotp',
    summary: 'Remove the second factor of a user',
    description: 'The password alone is enough until the user sets up a second factor again.',
  })
  @ApiAnswer(one('user', dashboardUserSchema))
  async resetTotp(@Param('userID') userID: string) {
    return presentOne('user', presentDashboardUser(await this.users.resetTotp(userID)));
  }

  @Delete(':userID')
  @ApiOperation({ operationId: 'deleteDashboardUser', summary: 'Delete a dashboard user' })
  @ApiAnswer(deleted('userID'), 'last_owner')
  async delete(@Param('userID') userID: string) {
    await this.team.delete(await this.users.find(userID));
    return presentDeleted('userID', userID);
  }

  private async accountOf(role: DashboardRole, accountID: string | null): Promise<string | null> {
    if (isAccountRole(role) !== (accountID !== null)) {
      throw new ServiceError('invalid_request', 'Send accountID, except with the role administrator.');
    }
    return accountID === null ? null : (await this.accounts.find(accountID)).id;
  }
}

const setupLinkSchema = z
  .object({
    url: z.url().describe('Page that creates the first administrator.'),
    expiresAt: time.describe('When the link stops working. Each request makes another.'),
  })
  .meta({ id: 'SetupLink', description: 'A link that creates the first administrator once.' });

@ApiTag({ name: 'Dashboard users' })
@Controller('admin/v1/setup-link')
@AdministratorOnly()
export class AdminSetupController {
  constructor(private readonly setup: SetupService) {}

  @Get()
  @ApiOperation({
    operationId: 'getSetupLink',
    summary: 'Make a link for the first administrator',
    description:
      'The person who opens the link within an hour creates the administrator, if the platform has none yet.',
  })
  @ApiAnswer(one('setupLink', setupLinkSchema), 'already_exists')
  async issue() {
    const { url, expiresAt } = await this.setup.issueLink();
    return presentOne('setupLink', { url, expiresAt: presentTime(expiresAt) });
  }
}

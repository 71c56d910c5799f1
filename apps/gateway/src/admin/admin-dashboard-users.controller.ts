import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { DashboardUsersService } from '../dashboard-users/dashboard-users.service.js';
import { CreateDashboardUserDto } from '../dashboard-users/dto/create-dashboard-user.dto.js';
import { PasswordResets } from '../dashboard-users/password-resets.service.js';
import {
  dashboardUserSchema,
  issuedUserSchema,
  presentResetLink,
  resetLinkSchema,
  type PresentedResetLink,
  presentDashboardUser,
  presentIssuedUser,
  type IssuedUserAnswer,
  type PresentedDashboardUser,
} from '../dashboard-users/present-dashboard-user.js';
import { AsksPassword } from '../dashboard-sessions/recent-password.guard.js';
import { Answers, deleted, list, one } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import {
  presentDeleted,
  presentList,
  presentOne,
  type DeletedAnswer,
  type ListAnswer,
  type OneAnswer,
} from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';

/** Who signs in to the dashboard. A password stands in the answer that made it and nowhere else. */
@Controller('admin/v1/dashboard-users')
@AdministratorOnly()
export class AdminDashboardUsersController {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly accounts: AccountsService,
    private readonly resets: PasswordResets,
  ) {}

  @AsksPassword()
  @IdempotentPost()
  @Answers(one('user', issuedUserSchema), 'name_taken')
  async create(@Body() { accountID, password, ...dto }: CreateDashboardUserDto): Promise<IssuedUserAnswer> {
    const owned = await this.accountOf(dto.role === 'owner', accountID ?? null);
    return presentIssuedUser(await this.users.create({ ...dto, password: password ?? undefined, accountID: owned }));
  }

  @Get()
  @Answers(list('users', dashboardUserSchema))
  async list(@PageQuery() page: Page): Promise<ListAnswer<'users', PresentedDashboardUser>> {
    const { items, total } = await this.users.list(page);
    return presentList('users', items.map(presentDashboardUser), total, page);
  }

  /** A new password; every session of the user ends. */
  @AsksPassword()
  @IdempotentPost(':userID/reset-password')
  @HttpCode(200)
  @Answers(one('user', issuedUserSchema))
  async resetPassword(@Param('userID') userID: string): Promise<IssuedUserAnswer> {
    return presentIssuedUser(await this.users.resetPassword(userID));
  }

  /**
   * A link by which the user chooses a new password, once and within an hour. It stands in this answer and nowhere else; a former link
   * is void. The sessions of the user end when the link is used.
   */
  @AsksPassword()
  @IdempotentPost(':userID/reset-link')
  @HttpCode(200)
  @Answers(one('resetLink', resetLinkSchema))
  async issueResetLink(@Param('userID') userID: string): Promise<OneAnswer<'resetLink', PresentedResetLink>> {
    const user = await this.users.find(userID);
    return presentOne('resetLink', presentResetLink(user, await this.resets.issue(userID)));
  }

  /** From here on the password alone is enough, until the user sets up another second factor. */
  @IdempotentPost(':userID/reset-totp')
  @HttpCode(200)
  @Answers(one('user', dashboardUserSchema))
  async resetTotp(@Param('userID') userID: string): Promise<OneAnswer<'user', PresentedDashboardUser>> {
    return presentOne('user', presentDashboardUser(await this.users.resetTotp(userID)));
  }

  @Delete(':userID')
  @Answers(deleted('userID'))
  async delete(@Param('userID') userID: string): Promise<DeletedAnswer<'userID'>> {
    await this.users.delete(userID);
    return presentDeleted('userID', userID);
  }

  private async accountOf(isOwner: boolean, accountID: string | null): Promise<string | null> {
    if (isOwner !== (accountID !== null)) {
      throw new ServiceError('invalid_request', 'accountID goes with the role owner, and with no other.');
    }
    return accountID === null ? null : (await this.accounts.find(accountID)).id;
  }
}

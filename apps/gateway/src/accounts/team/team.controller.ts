import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  CurrentAccount,
  CurrentUser,
  DashboardFor,
  type SignedIn,
  type SignedInAccount,
} from '../../platform/auth/signed-in.decorators.js';
import { deleted, list, one } from '../../platform/http/answers.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { AsksPassword } from '../sign-in/recent-password.guard.js';
import { presentResetLink, resetLinkSchema } from '../users/dashboard-user.dto.js';
import { ChangeRoleDto, presentTeamUser, teamUserSchema } from './team.dto.js';
import { TeamService } from './team.service.js';

@ApiTag({ name: 'Team', description: 'Users who sign in to the dashboard of the account, and their invitations.' })
@Controller('dashboard/api/users')
@DashboardFor('owner')
export class TeamController {
  constructor(private readonly team: TeamService) {}

  @Get()
  @ApiOperation({ operationId: 'listUsers', summary: 'List the users of the account', description: 'Newest first.' })
  @ApiAnswer(list('users', teamUserSchema))
  async list(@CurrentAccount() { accountID }: SignedInAccount, @PageQuery() page: Page) {
    return presentList('users', await this.team.list(accountID, page), page, presentTeamUser);
  }

  @AsksPassword()
  @Post(':userID/role')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'changeUserRole',
    summary: 'Change the role of a user',
    description: 'The role counts from the next request of the user on. Invitations of a former owner are revoked.',
  })
  @ApiAnswer(one('user', teamUserSchema), 'last_owner', 'not_permitted')
  async changeRole(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentUser() { userID: actorID }: SignedIn,
    @Param('userID') userID: string,
    @Body() { role }: ChangeRoleDto,
  ) {
    return presentOne('user', presentTeamUser(await this.team.changeRole({ accountID, actorID, userID }, role)));
  }

  @AsksPassword()
  @Post(':userID/reset-link')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createPasswordResetLink',
    summary: 'Create a password reset link',
    description:
      'The link works once and for one hour. This answer alone contains it; a former link becomes void. The sessions of the user end when the link is used.',
  })
  @ApiAnswer(one('resetLink', resetLinkSchema), 'not_permitted')
  async issueResetLink(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentUser() { userID: actorID }: SignedIn,
    @Param('userID') userID: string,
  ) {
    const { user, link } = await this.team.issueResetLink({ accountID, actorID, userID });
    return presentOne('resetLink', presentResetLink(user, link));
  }

  @AsksPassword()
  @Delete(':userID')
  @ApiOperation({
    operationId: 'removeUser',
    summary: 'Remove a user',
    description: 'The sessions of the user end at once. Keys that the user created go on working.',
  })
  @ApiAnswer(deleted('userID'), 'last_owner', 'not_permitted')
  async remove(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentUser() { userID: actorID }: SignedIn,
    @Param('userID') userID: string,
  ) {
    await this.team.remove({ accountID, actorID, userID });
    return presentDeleted('userID', userID);
  }
}

import { Body, Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { clientOf } from '@rtms/http';
import type { Request, Response } from 'express';
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
import { SignInAttemptsService } from '../sign-in/sign-in-attempts.service.js';
import { InvitationsService } from './invitations.service.js';
import {
  AcceptInvitationDto,
  acceptedSchema,
  CreateInvitationDto,
  invitationSchema,
  issuedInvitationSchema,
  presentInvitation,
} from './team.dto.js';

@ApiTag({ name: 'Team' })
@Controller('dashboard/api/invitations')
@DashboardFor('owner')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly attempts: SignInAttemptsService,
  ) {}

  @AsksPassword()
  @Post()
  @ApiOperation({
    operationId: 'createInvitation',
    summary: 'Invite a user',
    description: 'The link works once and for seven days. This answer alone contains it.',
  })
  @ApiAnswer(
    one('invitation', issuedInvitationSchema),
    ...(['already_exists', 'limit_reached', 'too_many_waiting', 'not_permitted'] as const),
  )
  async create(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentUser() { userID: actorID }: SignedIn,
    @Body() { email, role }: CreateInvitationDto,
  ) {
    const { invitation, url } = await this.invitations.create({ accountID, actorID, email, role });
    return presentOne('invitation', { ...presentInvitation(invitation), url });
  }

  @Get()
  @ApiOperation({ operationId: 'listInvitations', summary: 'List open invitations', description: 'Newest first.' })
  @ApiAnswer(list('invitations', invitationSchema))
  async list(@CurrentAccount() { accountID }: SignedInAccount, @PageQuery() page: Page) {
    return presentList('invitations', await this.invitations.list(accountID, page), page, presentInvitation);
  }

  @Delete(':invitationID')
  @ApiOperation({
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'The link stops working. Only open invitations can be revoked.',
  })
  @ApiAnswer(deleted('invitationID'))
  async revoke(@CurrentAccount() { accountID }: SignedInAccount, @Param('invitationID') invitationID: string) {
    await this.invitations.revoke(accountID, invitationID);
    return presentDeleted('invitationID', invitationID);
  }

  @Post('accept')
  @DashboardFor('anyone')
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Become a user with an invitation link',
    description: 'The token of the link works once. Sign in with the email address of the invitation afterwards.',
  })
  @ApiAnswer(acceptedSchema, 'invalid_credentials', 'name_taken', 'origin_not_allowed')
  async accept(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { token, newPassword }: AcceptInvitationDto,
  ) {
    const subject = { address: clientOf(request.ip) };
    await this.attempts.count(response, subject);
    const { id: userID, email, accountID } = await this.invitations.accept(token, newPassword);
    await this.attempts.forgive(subject);
    request.provedUser = { userID, email, accountID };
    return { success: true, email } as const;
  }
}

import { accountRoles, isAccountRole, type Invitation, type TeamUser } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, success, time } from '../../platform/http/answers.js';
import { Dto } from '../../platform/http/dto.js';
import { matching, oneOf } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import { dashboardUserFields, email, newPassword } from '../users/dashboard-user.dto.js';
import type { DashboardInvitation, DashboardUser } from '../users/dashboard-user.entities.js';

const role = oneOf(accountRoles).meta({
  description:
    'Rights in the account. `viewer`: reads. `developer`: also changes rooms, media and settings. `owner`: also manages main keys, sub-users and users.',
  examples: ['developer'],
});

export class ChangeRoleDto extends Dto({ role }) {}

export class CreateInvitationDto extends Dto({ email, role }) {}

const invitationToken = matching(/^[\w-]{43}$/, 'must be the 43 characters after the # of the invitation link.').meta({
  description: 'The 43 characters after the # of the invitation link.',
  examples: ['V1StGXR8Z5jdHi6BmyT0aBV1StGXR8Z5jdHi6BmyT0a'],
});

export class AcceptInvitationDto extends Dto({
  token: invitationToken,
  newPassword: newPassword.meta({ description: 'Password of the new user.', examples: ['a-longer-password'] }),
}) {}

const { userID, email: userEmail, totpEnabled } = dashboardUserFields;
const userFields = { email: userEmail, totpEnabled, createdAt: time.describe('When the user was created.') };

export const teamUserSchema = z
  .object({ userID, role, ...userFields })
  .meta({ id: 'TeamUser', description: 'A user who signs in to the dashboard of the account.' });

export function presentTeamUser(user: DashboardUser): TeamUser {
  if (!isAccountRole(user.role)) throw new Error(`The user ${user.id} has no account.`);
  return { userID: user.id, role: user.role, ...presentFields(userFields, user) };
}

const invitationFields = {
  email: z.string().describe('Email address of the future user.'),
  role,
  createdAt: time.describe('When the link was made.'),
  expiresAt: time.describe('When the link stops working.'),
};

export const invitationSchema = z
  .object({ invitationID: identifier('inv'), ...invitationFields })
  .meta({ id: 'Invitation', description: 'A link with which somebody becomes a user of the account.' });

export const issuedInvitationSchema = invitationSchema
  .extend({ url: z.url().describe('Page of the invitation. This answer alone contains it.') })
  .meta({ id: 'IssuedInvitation', description: 'A new invitation with its link.' });

export function presentInvitation(invitation: DashboardInvitation): Invitation {
  return { invitationID: invitation.id, ...presentFields(invitationFields, invitation) };
}

export const acceptedSchema = z.object({
  success,
  email: z.string().describe('Email address with which the new user signs in.'),
});

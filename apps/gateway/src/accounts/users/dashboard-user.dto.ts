import { dashboardRoles, passwordCharacters } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, matching, oneOf, secretText } from '../../platform/http/fields.js';
import { presentFields, presentOne, presentTime } from '../../platform/http/present.js';
import { emailForm, maxEmailCharacters } from './credentials.js';
import type { DashboardUser } from './dashboard-user.entities.js';
import type { ResetLink } from './password-resets.service.js';
import type { IssuedUser } from './dashboard-users.service.js';

export const dashboardUserFields = {
  userID: identifier('user'),
  email: z.string().describe('Email address with which the user signs in.'),
  role: oneOf(dashboardRoles).meta({
    description:
      '`owner`, `developer` and `viewer`: roles in one account. `administrator`: administrator of the platform.',
    examples: ['administrator'],
  }),
  totpEnabled: z.boolean().describe('Whether signing in needs a second factor.'),
};

const emailError = `must be an email address of at most ${maxEmailCharacters} characters.`;
export const email = matching(emailForm, emailError)
  .max(maxEmailCharacters, { error: emailError })
  .meta({ description: 'Email address with which the user signs in.', examples: ['ada@example.com'] });

export const newPassword = secretText(passwordCharacters.min, passwordCharacters.max);

export class CreateDashboardUserDto extends Dto({
  email,
  role: dashboardUserFields.role,
  ...optional({
    accountID: idOf('an account').describe('Account of the user; leave it out for an administrator.'),
    password: newPassword.meta({ description: 'Default: a random password.', examples: ['a-longer-password'] }),
  }),
}) {}

const rowFields = {
  email: dashboardUserFields.email,
  role: dashboardUserFields.role,
  totpEnabled: dashboardUserFields.totpEnabled,
  accountID: identifier('acct').nullable().describe('Account of the user; null for an administrator.'),
  createdAt: time.describe('When the user was created.'),
};

export const dashboardUserSchema = z
  .object({ userID: dashboardUserFields.userID, ...rowFields })
  .meta({ id: 'DashboardUser', description: 'A user who signs in to the dashboard.' });

export const issuedUserSchema = dashboardUserSchema
  .extend({ password: z.string().describe('This answer alone contains it.') })
  .meta({ id: 'IssuedDashboardUser', description: 'A dashboard user with a new password.' });

export function presentDashboardUser(user: DashboardUser): z.infer<typeof dashboardUserSchema> {
  return { userID: user.id, ...presentFields(rowFields, user) };
}

export function presentIssuedUser({ user, password }: IssuedUser) {
  return presentOne('user', { ...presentDashboardUser(user), password });
}

export const resetLinkSchema = z
  .object({
    userID: identifier('user'),
    accountID: identifier('acct').nullable().describe('Account of the user; null for an administrator.'),
    url: z.url().describe('Page on which the user sets a new password. This answer alone contains it.'),
    expiresAt: time.describe('When the link stops working.'),
  })
  .meta({ id: 'ResetLink', description: 'A link that sets a new password once.' });

export function presentResetLink({ id, accountID }: DashboardUser, { url, expiresAt }: ResetLink) {
  return { userID: id, accountID, url, expiresAt: presentTime(expiresAt) };
}

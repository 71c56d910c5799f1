import { dashboardRoles } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { oneOf } from '../../platform/http/fields.js';
import { presentOne, presentTime, type OneAnswer } from '../../platform/http/present.js';
import type { DashboardUser } from './dashboard-user.entities.js';
import type { ResetLink } from './password-resets.service.js';
import type { IssuedUser } from './dashboard-users.service.js';

export const dashboardUserFields = {
  userID: identifier('user'),
  email: z.string().describe('E-mail address with which the user signs in.'),
  role: oneOf(dashboardRoles).meta({
    description: '`owner`: owner of one account. `administrator`: administrator of the platform.',
    examples: ['administrator'],
  }),
  totpEnabled: z.boolean().describe('Whether signing in needs a second factor.'),
};

export const dashboardUserSchema = z
  .object({
    ...dashboardUserFields,
    accountID: identifier('acct').nullable().describe('Account of an `owner`; null for an `admin`.'),
    createdAt: time.describe('When the user was created.'),
  })
  .meta({ id: 'DashboardUser', description: 'A user who signs in to the dashboard.' });
export type PresentedDashboardUser = z.infer<typeof dashboardUserSchema>;

export const issuedUserSchema = dashboardUserSchema
  .extend({ password: z.string().describe('This answer alone contains it.') })
  .meta({ id: 'IssuedDashboardUser', description: 'A dashboard user with a new password.' });
export type IssuedUserAnswer = OneAnswer<'user', z.infer<typeof issuedUserSchema>>;

export function presentDashboardUser(user: DashboardUser): PresentedDashboardUser {
  return {
    userID: user.id,
    email: user.email,
    role: user.role,
    accountID: user.accountID,
    totpEnabled: user.totpEnabled,
    createdAt: presentTime(user.createdAt),
  };
}

export function presentIssuedUser({ user, password }: IssuedUser): IssuedUserAnswer {
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
export type PresentedResetLink = z.infer<typeof resetLinkSchema>;

export function presentResetLink({ id, accountID }: DashboardUser, { url, expiresAt }: ResetLink): PresentedResetLink {
  return { userID: id, accountID, url, expiresAt: presentTime(expiresAt) };
}

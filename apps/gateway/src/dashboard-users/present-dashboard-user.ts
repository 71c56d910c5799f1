import { dashboardRoles } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentOne, presentTime, type OneAnswer } from '../http/present.js';
import type { DashboardUser } from './dashboard-user.entity.js';
import type { ResetLink } from './password-resets.service.js';
import type { IssuedUser } from './dashboard-users.service.js';

export const dashboardUserSchema = z
  .object({
    userID: identifier('user'),
    email: z.string(),
    role: z.enum(dashboardRoles),
    accountID: identifier('acct').nullable(),
    totpEnabled: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'DashboardUser' });
export type PresentedDashboardUser = z.infer<typeof dashboardUserSchema>;

/** With the password, in this answer and nowhere else. */
export const issuedUserSchema = dashboardUserSchema
  .extend({ password: z.string() })
  .meta({ id: 'IssuedDashboardUser' });
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
    accountID: identifier('acct').nullable(),
    url: z.url(),
    expiresAt: time,
  })
  .meta({ id: 'ResetLink' });
export type PresentedResetLink = z.infer<typeof resetLinkSchema>;

export function presentResetLink({ id, accountID }: DashboardUser, { url, expiresAt }: ResetLink): PresentedResetLink {
  return { userID: id, accountID, url, expiresAt: presentTime(expiresAt) };
}

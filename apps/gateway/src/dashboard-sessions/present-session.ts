import { dashboardRoles, type DashboardSession } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { idleMs, type SignedIn } from './dashboard-sessions.service.js';

const userSchema = z.object({
  userID: identifier('user'),
  email: z.string(),
  role: z.enum(dashboardRoles),
  totpEnabled: z.boolean(),
});
const accountSchema = z.object({ accountID: identifier('acct'), name: z.string(), apiUserName: z.string() });

export const sessionSchema: z.ZodType<DashboardSession> = z
  .object({
    user: userSchema,
    account: accountSchema.nullable(),
    csrfToken: z.string(),
    expiresAt: time,
    idleExpiresAt: time,
  })
  .meta({ id: 'DashboardSession' });

export function presentSession(signedIn: SignedIn): DashboardSession {
  const { userID, email, role, totpEnabled, account, csrfToken, expiresAt, lastSeenAt } = signedIn;
  const idleEnd = new Date(Math.min(lastSeenAt.getTime() + idleMs, expiresAt.getTime()));
  return {
    user: { userID, email, role, totpEnabled },
    account: account && { accountID: account.accountID, name: account.name, apiUserName: account.apiUserName },
    csrfToken,
    expiresAt: presentTime(expiresAt),
    idleExpiresAt: presentTime(idleEnd),
  };
}

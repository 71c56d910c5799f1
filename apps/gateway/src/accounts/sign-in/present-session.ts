import type { DashboardSession } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { presentTime } from '../../platform/http/present.js';
import { accountName, apiUserName } from '../account/present-account.js';
import { dashboardUserFields } from '../users/present-dashboard-user.js';
import { idleMs } from './dashboard-sessions.service.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';

const accountSchema = z.object({ accountID: identifier('acct'), name: accountName, apiUserName });

export const sessionSchema: z.ZodType<DashboardSession> = z
  .object({
    user: z.object(dashboardUserFields).describe('The signed-in user.'),
    account: accountSchema.nullable().describe('Account of an `owner`; null for an `admin`.'),
    csrfToken: z.string().describe('Value of the header X-CSRF-Token of requests that change something.'),
    expiresAt: time.describe('When the session ends at the latest.'),
    idleExpiresAt: time.describe('When the session ends without further requests.'),
  })
  .meta({ id: 'DashboardSession', description: 'A session of the dashboard.' });

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

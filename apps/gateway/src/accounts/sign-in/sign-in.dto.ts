import { passwordCharacters, type DashboardSession } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { Dto, optional } from '../../platform/http/dto.js';
import { matching, secretText } from '../../platform/http/fields.js';
import { presentTime } from '../../platform/http/present.js';
import { accountName, apiUserName } from '../account/account.dto.js';
import { maxEmailCharacters } from '../users/credentials.js';
import { dashboardUserFields, newPassword } from '../users/dashboard-user.dto.js';
import { idleMs } from './dashboard-sessions.service.js';

const givenPassword = secretText(0, passwordCharacters.max);
const currentPassword = givenPassword.meta({ description: 'The current password.', examples: ['a-former-password'] });
const chosenPassword = newPassword.meta({ description: 'The new password.', examples: ['a-longer-password'] });

const digits = matching(/^\d{6}$/, 'must be six digits.').meta({
  description: 'Current code of the second factor.',
  examples: ['492039'],
});
/** A recovery code may be typed without its hyphen. */
const digitsOrRecovery = matching(
  /^(?:\d{6}|[A-Za-z\d]{5}[\s-]?[A-Za-z\d]{5})$/,
  'must be six digits, or a recovery code of ten letters and digits.',
).meta({ description: 'Current code of the second factor, or a recovery code.', examples: ['492039'] });
const resetToken = matching(/^[\w-]{43}$/, 'must be the 43 characters after the # of the reset link.').meta({
  description: 'The 43 characters after the # of the reset link.',
  examples: ['V1StGXR8Z5jdHi6BmyT0aBV1StGXR8Z5jdHi6BmyT0a'],
});

export class SignInDto extends Dto({
  email: secretText(1, maxEmailCharacters).meta({
    description: 'Email address of the user.',
    examples: ['ada@example.com'],
  }),
  password: givenPassword.meta({ description: 'Password of the user.', examples: ['a-longer-password'] }),
  ...optional({ code: digitsOrRecovery }),
}) {}

export class ChangePasswordDto extends Dto({ currentPassword, newPassword: chosenPassword }) {}

export class ConfirmPasswordDto extends Dto({ currentPassword }) {}

export class ResetPasswordDto extends Dto({ token: resetToken, newPassword: chosenPassword }) {}

export class TotpCodeDto extends Dto({ code: digits }) {}

/** For changes that an open browser alone must not allow. */
export class BothFactorsDto extends Dto({ currentPassword, code: digitsOrRecovery }) {}

const accountSchema = z.object({ accountID: identifier('acct'), name: accountName, apiUserName });

export const sessionSchema: z.ZodType<DashboardSession> = z
  .object({
    user: z.object(dashboardUserFields).describe('The signed-in user.'),
    account: accountSchema.nullable().describe('Account of the user; null for an administrator.'),
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

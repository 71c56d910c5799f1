import { passwordCharacters } from '@rtms/contracts';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, matching, secretText } from '../../platform/http/fields.js';
import { emailForm, maxEmailCharacters } from './credentials.js';
import { dashboardUserFields } from './present-dashboard-user.js';

const emailError = `must be an e-mail address of at most ${maxEmailCharacters} characters.`;
const email = matching(emailForm, emailError)
  .max(maxEmailCharacters, { error: emailError })
  .meta({ description: 'E-mail address with which the user signs in.', examples: ['ada@example.com'] });

export const newPassword = secretText(passwordCharacters.min, passwordCharacters.max);

export class CreateDashboardUserDto extends Dto({
  email,
  role: dashboardUserFields.role,
  ...optional({
    accountID: idOf('an account').describe('Account of an `owner`.'),
    password: newPassword.meta({ description: 'Default: a random password.', examples: ['a-longer-password'] }),
  }),
}) {}

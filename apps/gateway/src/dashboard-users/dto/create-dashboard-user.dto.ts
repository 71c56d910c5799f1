import { IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { dashboardRoles, passwordCharacters, type DashboardRole } from '@rtms/contracts';
import { emailForm, maxEmailCharacters } from '../email.js';

const emailRule = { message: `email must be an e-mail address of at most ${maxEmailCharacters} characters.` };
const roleRule = { message: `role must be one of: ${dashboardRoles.join(', ')}.` };
const accountRule = { message: 'accountID must be the identifier of an account.' };
const passwordRule = {
  message: `password must be text of ${passwordCharacters.min} to ${passwordCharacters.max} characters.`,
};

export class CreateDashboardUserDto {
  @MaxLength(maxEmailCharacters, emailRule)
  @Matches(emailForm, emailRule)
  email!: string;

  @IsIn(dashboardRoles, roleRule)
  role!: DashboardRole;

  @IsOptional()
  @Length(1, 64, accountRule)
  @IsString(accountRule)
  accountID?: string | null;

  @IsOptional()
  @Length(passwordCharacters.min, passwordCharacters.max, passwordRule)
  password?: string | null;
}

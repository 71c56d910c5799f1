import { IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { maxEmailCharacters } from '../../dashboard-users/email.js';
import { maxPasswordCharacters, minPasswordCharacters } from '../../dashboard-users/passwords.js';

const emailRule = { message: `email must be text of 1 to ${maxEmailCharacters} characters.` };
const passwordRule = { message: `password must be text of at most ${maxPasswordCharacters} characters.` };
const currentRule = { message: `currentPassword must be text of at most ${maxPasswordCharacters} characters.` };
const newRule = {
  message: `newPassword must be text of ${minPasswordCharacters} to ${maxPasswordCharacters} characters.`,
};
const codeRule = { message: 'code must be six digits.' };

export class SignInDto {
  @Length(1, maxEmailCharacters, emailRule)
  email!: string;

  @MaxLength(maxPasswordCharacters, passwordRule)
  @IsString(passwordRule)
  password!: string;

  @IsOptional()
  @Matches(/^\d{6}$/, codeRule)
  code?: string;
}

export class ChangePasswordDto {
  @MaxLength(maxPasswordCharacters, currentRule)
  @IsString(currentRule)
  currentPassword!: string;

  @Length(minPasswordCharacters, maxPasswordCharacters, newRule)
  newPassword!: string;
}

export class TotpCodeDto {
  @Matches(/^\d{6}$/, codeRule)
  code!: string;
}

export class EndTotpDto extends TotpCodeDto {
  @MaxLength(maxPasswordCharacters, currentRule)
  @IsString(currentRule)
  currentPassword!: string;
}

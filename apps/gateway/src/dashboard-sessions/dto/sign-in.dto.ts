import { passwordCharacters } from '@rtms/contracts';
import { IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { maxEmailCharacters } from '../../dashboard-users/email.js';

const emailRule = { message: `email must be text of 1 to ${maxEmailCharacters} characters.` };
const passwordRule = { message: `password must be text of at most ${passwordCharacters.max} characters.` };
const currentRule = { message: `currentPassword must be text of at most ${passwordCharacters.max} characters.` };
const newRule = {
  message: `newPassword must be text of ${passwordCharacters.min} to ${passwordCharacters.max} characters.`,
};
const digitsRule = { message: 'code must be six digits.' };
const codeRule = { message: 'code must be six digits, or a recovery code of ten letters and digits.' };
/** Recovery codes are typed with or without their hyphen. */
const codeForm = /^(?:\d{6}|[A-Za-z\d]{5}[\s-]?[A-Za-z\d]{5})$/;

export class SignInDto {
  @Length(1, maxEmailCharacters, emailRule)
  email!: string;

  @MaxLength(passwordCharacters.max, passwordRule)
  @IsString(passwordRule)
  password!: string;

  @IsOptional()
  @Matches(codeForm, codeRule)
  code?: string | null;
}

export class ChangePasswordDto {
  @MaxLength(passwordCharacters.max, currentRule)
  @IsString(currentRule)
  currentPassword!: string;

  @Length(passwordCharacters.min, passwordCharacters.max, newRule)
  newPassword!: string;
}

export class ConfirmPasswordDto {
  @MaxLength(passwordCharacters.max, currentRule)
  @IsString(currentRule)
  currentPassword!: string;
}

export class ResetPasswordDto {
  @Matches(/^[\w-]{43}$/, { message: 'token must be the 43 characters after the # of the reset link.' })
  token!: string;

  @Length(passwordCharacters.min, passwordCharacters.max, newRule)
  newPassword!: string;
}

export class TotpCodeDto {
  @Matches(/^\d{6}$/, digitsRule)
  code!: string;
}

/** For what is too much for whoever finds a browser open. */
export class BothFactorsDto {
  @MaxLength(passwordCharacters.max, currentRule)
  @IsString(currentRule)
  currentPassword!: string;

  @Matches(codeForm, codeRule)
  code!: string;
}

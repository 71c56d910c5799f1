import { IsOptional, Length, Matches } from 'class-validator';

const nameRule = { message: 'name must be text of 1 to 64 characters.' };

export class RenameAccountDto {
  @Matches(/\S/, nameRule)
  @Length(1, 64, nameRule)
  name!: string;
}

export class CreateAccountDto extends RenameAccountDto {
  @IsOptional()
  @Matches(/^[A-Za-z0-9]{6,32}$/, { message: 'apiUserName must be 6 to 32 letters and digits.' })
  apiUserName?: string | null;
}

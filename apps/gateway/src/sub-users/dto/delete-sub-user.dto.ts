import { Length } from 'class-validator';

export class DeleteSubUserDto {
  @Length(1, 64, { message: 'subUserID must be the identifier of a sub-user.' })
  subUserID!: string;
}

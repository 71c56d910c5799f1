import { Length } from 'class-validator';
import { DeleteSubUserDto } from './delete-sub-user.dto.js';

/** Names a key of a sub-user. */
export class SubUserKeyDto extends DeleteSubUserDto {
  @Length(1, 64, { message: 'keyID must be the identifier of a key of the sub-user.' })
  keyID!: string;
}

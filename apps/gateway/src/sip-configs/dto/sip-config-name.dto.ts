import { Length } from 'class-validator';

export class SipConfigNameDto {
  @Length(1, 64, { message: 'sipConfigID must be the identifier of a SIP configuration.' })
  sipConfigID!: string;
}

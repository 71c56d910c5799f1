import { Length } from 'class-validator';

export class CreateBroadcastDto {
  @Length(1, 64, { message: 'sourceSessionID must be the identifier of an external session.' })
  sourceSessionID!: string;
}

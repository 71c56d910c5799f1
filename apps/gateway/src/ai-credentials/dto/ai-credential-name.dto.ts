import { Length } from 'class-validator';

export class AiCredentialNameDto {
  @Length(1, 64, { message: 'aiCredentialID must be the identifier of an AI credential.' })
  aiCredentialID!: string;
}

import { Length } from 'class-validator';

export class DeleteDisposableKeyDto {
  @Length(1, 64, { message: 'keyID must be the identifier of a disposable key.' })
  keyID!: string;
}

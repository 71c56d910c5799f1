import { Length } from 'class-validator';

export class DeleteDomainDto {
  @Length(1, 64, { message: 'domainID must be the identifier of a domain.' })
  domainID!: string;
}

import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { domainFields } from './present-domain.js';

const { domain, enabled } = domainFields;
const domainID = idOf('a domain');

export class CreateDomainDto extends Dto({ domain, ...optional({ enabled }, { enabled: true }) }) {}

export class DomainIDDto extends Dto({ domainID }) {}

export class UpdateDomainDto extends Dto({ domainID, ...optional(domainFields) }) {}

export class GetDomainsDto extends Dto(optionalQuery({ domainID: queryText() })) {}

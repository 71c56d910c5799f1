import { z } from 'zod';
import { readDomain } from '../../platform/auth/host-name.js';
import { identifier, time } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, queryText } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { Domain } from './domain.entity.js';

/** A host that can be registered. The message says why a value cannot be registered. */
export const domainName = z
  .string({ error: 'must be a host name such as app.example.com, without scheme, path or port.' })
  .superRefine((value, context) => {
    const reading = readDomain(value);
    if ('problem' in reading) context.addIssue({ code: 'custom', message: reading.problem });
  })
  .meta({ maxLength: 255, examples: ['app.example.com'] });

const domainFields = {
  domain: domainName.describe('Host name; `*.example.com` stands for all names below example.com.'),
  enabled: flag.describe('Whether browsers may send requests from the domain.'),
};
const { domain, enabled } = domainFields;
const domainID = idOf('a domain');

export class CreateDomainDto extends Dto({ domain, ...optional({ enabled }, { enabled: true }) }) {}

export class DomainIDDto extends Dto({ domainID }) {}

export class UpdateDomainDto extends Dto({ domainID, ...optional(domainFields) }) {}

export class GetDomainsDto extends Dto(optionalQuery({ domainID: queryText() })) {}

const fields = { ...domainFields, createdAt: time.describe('When the domain was registered.') };

export const domainSchema = z
  .object({ domainID: identifier('dom'), ...fields })
  .meta({ id: 'Domain', description: 'A host from which browsers may send requests with production keys.' });

export function presentDomain(row: Domain): z.infer<typeof domainSchema> {
  return { domainID: row.id, ...presentFields(fields, row) };
}

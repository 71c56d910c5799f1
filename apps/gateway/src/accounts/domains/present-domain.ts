import { z } from 'zod';
import { readDomain } from '../../platform/auth/host-name.js';
import { identifier, time } from '../../platform/http/answers.js';
import { flag } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { Domain } from './domain.entity.js';

/** A host that can be registered; the message says why another one cannot. */
export const domainName = z
  .string({ error: 'must be a host name such as app.example.com, without scheme, path or port.' })
  .superRefine((value, context) => {
    const reading = readDomain(value);
    if ('problem' in reading) context.addIssue({ code: 'custom', message: reading.problem });
  })
  .meta({ maxLength: 255, examples: ['app.example.com'] });

export const domainFields = {
  domain: domainName.describe('Host name; `*.example.com` stands for all names below example.com.'),
  enabled: flag.describe('Whether browsers may send requests from the domain.'),
};
const fields = { ...domainFields, createdAt: time.describe('When the domain was registered.') };

export const domainSchema = z
  .object({ domainID: identifier('dom'), ...fields })
  .meta({ id: 'Domain', description: 'A host from which browsers may send requests with production keys.' });
export type PresentedDomain = z.infer<typeof domainSchema>;

export function presentDomain(row: Domain): PresentedDomain {
  return { domainID: row.id, ...presentFields(fields, row) };
}

import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type Domain = ApiRecord<'Domain'>;

export const domains = resource<Domain, ActionFields<'DomainsCreateBody'>, ActionFields<'DomainsUpdateBody'>>({
  path: '/v1/domains',
  one: 'domain',
  many: 'domains',
  id: 'domainID',
});

import { presentTime } from '../http/present.js';
import type { Domain } from './domain.entity.js';

export interface PresentedDomain {
  domainID: string;
  domain: string;
  enabled: boolean;
  createdAt: string;
}

export function presentDomain({ id, domain, enabled, createdAt }: Domain): PresentedDomain {
  return { domainID: id, domain, enabled, createdAt: presentTime(createdAt) };
}

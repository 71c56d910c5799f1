import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import type { Domain } from './domain.entity.js';

export const domainSchema = z
  .object({ domainID: identifier('dom'), domain: z.string(), enabled: z.boolean(), createdAt: time })
  .meta({ id: 'Domain' });
export type PresentedDomain = z.infer<typeof domainSchema>;

export function presentDomain({ id, domain, enabled, createdAt }: Domain): PresentedDomain {
  return { domainID: id, domain, enabled, createdAt: presentTime(createdAt) };
}

import { leaseKey, nodeRoles, type NodeLease } from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { z } from 'zod';
import type { AllowedAddresses } from './allowed-addresses.js';

/** The addresses that media nodes may announce. Absent: any address. */
export interface NodeAddresses {
  public?: AllowedAddresses | undefined;
  internal?: AllowedAddresses | undefined;
}

/** Longer than any address that a node builds from its settings. */
const longestAddress = 2_000;
const address = z
  .url({ protocol: /^https?$/ })
  .max(longestAddress)
  .refine(isBaseAddress);
const amount = z.number().min(0);

const leaseSchema = z.looseObject({
  nodeID: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  role: z.enum(nodeRoles),
  epoch: z.int().min(0),
  publicUrl: address,
  internalUrl: address,
  load: amount,
  capacity: amount,
  draining: z.boolean(),
  drainSeconds: amount.optional(),
  composes: z.array(z.string().max(32)).max(16).optional(),
  version: z
    .string()
    .regex(/^[\w.+-]{1,64}$/)
    .optional(),
}) satisfies z.ZodType<NodeLease>;

/** A user, a query or a fragment would become part of the URLs that callers get. */
function isBaseAddress(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '' && !text.endsWith('/');
}

type ReadLease = { lease: NodeLease } | { refusal: string };

/**
 * Validates leases from the bucket. The bus only checks who writes there. A compromised node could otherwise send the
 * publishers and viewers of all accounts to any address.
 */
export class LeaseReader {
  constructor(private readonly addresses: NodeAddresses = {}) {}

  read(key: string, value: unknown): ReadLease {
    const { data: lease, error } = checkValue(leaseSchema, value);
    if (error) return { refusal: `${String(error.issues[0]?.path[0] ?? 'lease')} is malformed` };
    if (leaseKey(lease) !== key) return { refusal: 'it names another node' };
    const { public: outside, internal } = this.addresses;
    if (outside && !outside.allows(lease.publicUrl)) {
      return { refusal: `MEDIA_NODE_ADDRESSES does not list ${lease.publicUrl}` };
    }
    if (internal && !internal.allows(lease.internalUrl)) {
      return { refusal: `MEDIA_NODE_INTERNAL_ADDRESSES does not list ${lease.internalUrl}` };
    }
    return { lease };
  }
}

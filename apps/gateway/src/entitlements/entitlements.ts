import { entitlements, type Entitlement } from '@rtms/contracts';
import { z } from 'zod';

/** How an entitlement is named to people. */
export const entitlementNames: Record<Entitlement, string> = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcasts',
  recording: 'recording',
};

export const entitlementsSchema = z
  .object(Object.fromEntries(entitlements.map(name => [name, z.boolean()])) as Record<Entitlement, z.ZodBoolean>)
  .meta({ id: 'Entitlements' });

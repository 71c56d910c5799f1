import type { z } from 'zod';

const pairs = [
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_CERT_FILE', 'NATS_KEY_FILE'],
  ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
] as const;

/** Reports variables of which one makes no sense without the other; for a schema's `superRefine`. */
export function checkPairs(env: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const [one, other] of pairs) {
    if ((env[one] === undefined) === (env[other] === undefined)) continue;
    const [set, missing] = env[one] === undefined ? [other, one] : [one, other];
    context.addIssue({ code: 'custom', path: [set], message: `and ${missing} are set together or not at all` });
  }
}

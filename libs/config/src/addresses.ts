import { z } from 'zod';

/**
 * Browsers and `fetch` send no request to these ports, whatever listens there.
 * Source: Fetch Standard, port blocking (https://fetch.spec.whatwg.org/#port-blocking).
 */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

const blocked = 'must use a port that browsers accept: see https://fetch.spec.whatwg.org/#port-blocking';

/** A port from 0 to 65535. */
export const portVariable = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535);

/** A port for HTTP; 0: any free one. */
export const httpPortVariable = portVariable.refine(port => !blockedPorts.has(port), { error: blocked });

/** An `http` or `https` URL for clients, without a slash at the end. */
export const baseUrlVariable = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine(url => !blockedPorts.has(Number(new URL(url).port)), { error: blocked })
  .transform(url => url.replace(/\/+$/, ''));

/** As the headers call them. */
export const limitNames = ['address-reads', 'address-writes', 'address-handshakes', 'key-reads', 'key-writes'] as const;
export type LimitName = (typeof limitNames)[number];

export const quotaNames = {
  'address-reads': 'addressReads',
  'address-writes': 'addressWrites',
  'key-reads': 'keyReads',
  'key-writes': 'keyWrites',
} as const;

/** How much of what may be asked within a window. */
export interface RateLimitPolicy {
  name: LimitName;
  /** 0: no limit. */
  quota: number;
  windowSeconds: number;
}

export interface RateLimitsConfig {
  windowSeconds: number;
  /** Of one key. */
  keyReads: number;
  keyWrites: number;
  /** Of one client address, before anything is known of the key. */
  addressReads: number;
  addressWrites: number;
  /** Of one client address at the room socket; left out, the default. */
  addressHandshakes?: number;
}

/** Far above what an honest application sends, and enough to keep one caller from taking everything. */
export const defaultRateLimits: Required<RateLimitsConfig> = {
  windowSeconds: 60,
  keyReads: 300_000,
  keyWrites: 120_000,
  addressReads: 600_000,
  addressWrites: 240_000,
  addressHandshakes: 12_000,
};

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10. */
export function formatPolicy({ name, quota, windowSeconds }: RateLimitPolicy): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** `RateLimit` of the same draft. */
export function formatState({ name, quota }: RateLimitPolicy, used: number, seconds: number): string {
  return `"${name}";r=${Math.max(0, quota - used)};t=${seconds}`;
}

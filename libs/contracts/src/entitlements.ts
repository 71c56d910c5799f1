/** What an account may use at all; the administrator grants it or takes it away. */
export const entitlements = ['whip', 'whep', 'hls', 'recording'] as const;
export type Entitlement = (typeof entitlements)[number];
export type EntitlementStates = Record<Entitlement, boolean>;

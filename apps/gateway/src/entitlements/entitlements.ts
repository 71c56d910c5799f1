/** What an account may use at all; the administrator grants it or takes it away. */
export const entitlements = ['whip', 'whep', 'hls', 'recording'] as const;
export type Entitlement = (typeof entitlements)[number];
export type EntitlementStates = Record<Entitlement, boolean>;

/** How an entitlement is named to people. */
export const entitlementNames: Record<Entitlement, string> = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcasts',
  recording: 'recording',
};

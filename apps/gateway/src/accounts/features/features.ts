import { z } from 'zod';

/** The ways of media that a platform administrator switches. */
export const features = ['whip', 'whep', 'hls', 'srt', 'rtmp', 'rtmps'] as const;
export type Feature = (typeof features)[number];
export const featureStatesSchema = z
  .object(
    Object.fromEntries(
      features.map(feature => [feature, z.boolean().describe('Whether the feature may be used.')]),
    ) as Record<Feature, z.ZodBoolean>,
  )
  .meta({ id: 'FeatureStates', description: 'Features of the platform or of an account.' });
export type FeatureStates = z.infer<typeof featureStatesSchema>;

/** How a feature is named to people. */
export const featureNames: Record<Feature, string> = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcast',
  srt: 'SRT ingest',
  rtmp: 'RTMP ingest',
  rtmps: 'RTMPS ingest',
};

export interface FeatureRow {
  feature: string;
  enabled: boolean;
}

/** The platform's switch is a main switch: what it has off, no account has. An account's own can only take away. */
export function effectiveFeatures(platform: readonly FeatureRow[], account: readonly FeatureRow[]): FeatureStates {
  const on = (feature: Feature) =>
    platform.some(row => row.feature === feature && row.enabled) &&
    !account.some(row => row.feature === feature && !row.enabled);
  return Object.fromEntries(features.map(feature => [feature, on(feature)])) as FeatureStates;
}

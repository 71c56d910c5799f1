import { z } from 'zod';

/** The media protocols that a platform administrator enables and disables. */
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

/** The names of features in messages. */
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

/** A feature that the platform has disabled is disabled for every account. The setting of an account can only disable a feature. */
export function effectiveFeatures(platform: readonly FeatureRow[], account: readonly FeatureRow[]): FeatureStates {
  const on = (feature: Feature) =>
    platform.some(row => row.feature === feature && row.enabled) &&
    !account.some(row => row.feature === feature && !row.enabled);
  return Object.fromEntries(features.map(feature => [feature, on(feature)])) as FeatureStates;
}

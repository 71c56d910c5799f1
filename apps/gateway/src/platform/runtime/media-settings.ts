import { leaseTtlSeconds } from '@rtms/contracts';
import type { GatewayConfig } from '../../gateway.config.js';

/** How the control of external media is timed. Milliseconds unless the name says otherwise. */
export interface MediaSettings {
  /** How long a lost publisher or viewer may take to come back. */
  graceMs: number;
  /** Lifetime of ingest, playback and HLS entry tokens. */
  tokenTtlSeconds: number;
  /** How long a media node counts as alive after its last announcement. */
  leaseTtlMs: number;
  /** How long a worker has for a command. */
  commandDeadlineMs: number;
  /** Between two comparisons of the database with what the workers hold. */
  reconcileIntervalMs: number;
  /** Between two looks for grace times and rooms that are over. */
  sweepIntervalMs: number;
  /** Between two charges of what runs. */
  meteringIntervalMs: number;
}

/** Injects `MediaSettings`. */
export const MEDIA_SETTINGS = Symbol('MediaSettings');

export function mediaSettingsOf(config: GatewayConfig): MediaSettings {
  return {
    graceMs: config.graceSeconds * 1000,
    tokenTtlSeconds: config.tokenTtlSeconds,
    leaseTtlMs: (config.leaseTtlSeconds ?? leaseTtlSeconds) * 1000,
    commandDeadlineMs: (config.commandSeconds ?? 5) * 1000,
    reconcileIntervalMs: config.reconcileSeconds * 1000,
    sweepIntervalMs: config.sweepSeconds * 1000,
    meteringIntervalMs: (config.meteringSeconds ?? 60) * 1000,
  };
}

import { leaseTtlSeconds } from '@rtms/contracts';
import type { GatewayConfig } from '../../gateway.config.js';

/** Times of external media, in milliseconds unless the name says otherwise. */
export interface MediaSettings {
  /** Time for a lost publisher or viewer to reconnect. */
  graceMs: number;
  /** Lifetime of ingest, playback and HLS entry tokens. */
  tokenTtlSeconds: number;
  /** Time from the last heartbeat of a media node until it counts as lost. */
  leaseTtlMs: number;
  /** Deadline of a command to a node. */
  commandDeadlineMs: number;
  /** Between two comparisons of the database with the resources of the nodes. */
  reconcileIntervalMs: number;
  /** Between two searches for ended grace times and rooms. */
  sweepIntervalMs: number;
  /** Between two charges of running media. */
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

import type { TargetResolution } from './event-options.js';

/**
 * The most lines (the shorter side) that a resolution stands for. `qhd` is quad HD, four times 720p; `QnHD` is a
 * quarter of nHD (640x360), 320x180, and so the smallest of all, although it is named last.
 */
export const resolutionLines: Readonly<Record<TargetResolution, number>> = {
  QnHD: 180,
  sd: 480,
  hd: 720,
  fhd: 1080,
  qhd: 1440,
};

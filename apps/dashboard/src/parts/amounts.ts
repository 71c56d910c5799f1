import { frameTexts } from '../texts/frame.js';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];
const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** `1:02:03`, or `2:03` when it was less than an hour. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return frameTexts.unknown;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

export function sizeText(bytes: number | null): string {
  if (bytes === null) return frameTexts.unknown;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${decimals.format(bytes / 1000 ** power)} ${units[power] ?? ''}`;
}

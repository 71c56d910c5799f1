/** The value below which the given share (0 to 1) of the values lies; nearest rank, rounded to 0.1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return Math.round((sorted[rank] ?? NaN) * 10) / 10;
}

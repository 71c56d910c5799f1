/** Since when each resource is missing on its node, in milliseconds. */
export type MissingSince = ReadonlyMap<string, number>;

/**
 * Something missing may just be on its way. Only what has been missing for longer than a command can take is
 * believed to be gone; it stays so until it is found again.
 */
export function confirmMissing(
  missing: readonly string[],
  since: MissingSince,
  { now, patienceMs }: { now: number; patienceMs: number },
): { confirmed: Set<string>; since: MissingSince } {
  const next = new Map(missing.map(id => [id, since.get(id) ?? now]));
  const confirmed = missing.filter(id => now - (next.get(id) ?? now) >= patienceMs);
  return { confirmed: new Set(confirmed), since: next };
}

import { QueryFailedError } from 'typeorm';

/** Once may be chance; a fact that the database refuses again and again would hold up all behind it. */
const deliveriesToBeSure = 3;

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation. */
const refusals = /^2[23]/;

/** Whether a fact failed for what it says, not because the database is away. */
export function isUnusable(error: unknown, deliveries: number): boolean {
  if (deliveries < deliveriesToBeSure) return false;
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as { code?: unknown };
  return typeof code === 'string' && refusals.test(code);
}

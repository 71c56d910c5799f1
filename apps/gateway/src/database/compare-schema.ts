export interface SchemaFacts {
  /** Migrations that were run on the database. */
  run: readonly string[];
  /** Those among them that a gateway must know. */
  required: readonly string[];
  /** Migrations that this gateway has. */
  known: readonly string[];
}

/**
 * Why a gateway must not work with a database; undefined when it may. Migrations that it does not know do no harm by
 * themselves: they come before the gateways that need them, and say so when the former ones can't go on.
 */
export function schemaProblem({ run, required, known }: SchemaFacts): string | undefined {
  const missing = known.filter(name => !run.includes(name));
  if (missing.length > 0) {
    return `The schema of the database is older than this gateway: ${listed(missing)} must be run (database/migrate.js).`;
  }
  const unknown = required.filter(name => !known.includes(name));
  if (unknown.length === 0) return undefined;
  return `The schema of the database is newer than this gateway can work with: ${listed(unknown)}. Start a newer gateway.`;
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

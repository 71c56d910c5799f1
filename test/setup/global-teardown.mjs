/** Ends the PostgreSQL of the run, if any test asked for it. */
export default async function globalTeardown() {
  await /** @type {{ stopSharedPostgres?: () => Promise<void> }} */ (globalThis).stopSharedPostgres?.();
}

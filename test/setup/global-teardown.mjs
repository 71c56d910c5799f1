/** Ends the servers of the run that a test asked for. */
export default async function globalTeardown() {
  await /** @type {{ endSharedServers?: () => Promise<void> }} */ (globalThis).endSharedServers?.();
}

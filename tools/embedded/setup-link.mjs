const timeoutMs = 5_000;

/**
 * The link with which the first administrator chooses a password, from the running gateway. undefined when the platform has an
 * administrator, or when the gateway does not answer: `npx rtms-admin setup-link` then says why.
 * @param {Pick<import('./greeting.mjs').ReadyFile, 'gateway' | 'adminToken'>} ready
 * @returns {Promise<string | undefined>}
 */
export async function readSetupLink({ gateway, adminToken }) {
  try {
    const response = await fetch(`${gateway}/admin/v1/setup-link`, {
      headers: { authorization: `Bearer ${adminToken}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { setupLink } = /** @type {{ setupLink?: { url: string } }} */ (await response.json());
    return setupLink?.url;
  } catch {
    return undefined;
  }
}

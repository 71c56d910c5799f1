// The result of `npm audit --json`.

/** @typedef {{ outcome: 'clean' | 'vulnerable' | 'not-done' | 'failed', message: string }} Verdict */

/** A registry without audits, or out of reach, is no fault of the packages. */
const registryIsAway = /^(?:E[45]\d\d|ENOAUDIT|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;

/**
 * @param {string} output of npm, on standard output
 * @returns {Verdict}
 */
export function auditVerdict(output) {
  const report = parse(output);
  const counts = report?.metadata?.vulnerabilities;
  if (counts) return verdictOf(counts, report.vulnerabilities ?? {});
  const code = codeOf(report);
  if (registryIsAway.test(code))
    return { outcome: 'not-done', message: `NOT AUDITED: the npm registry did not answer the audit (${code}).` };
  return { outcome: 'failed', message: `npm audit failed: ${report?.message ?? output.slice(0, 300)}` };
}

/** @param {string} output */
function parse(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/**
 * @param {Record<string, number>} counts
 * @param {Record<string, { severity: string }>} packages
 * @returns {Verdict}
 */
function verdictOf({ high = 0, critical = 0 }, packages) {
  if (high + critical === 0) return { outcome: 'clean', message: 'No known vulnerability of high severity or above.' };
  const names = Object.entries(packages)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity }]) => `${name} (${severity})`);
  return { outcome: 'vulnerable', message: `Vulnerable production packages: ${names.join(', ')}. See npm audit.` };
}

/** @param {{ statusCode?: number, error?: { code?: string } } | undefined} report */
function codeOf(report) {
  if (report?.statusCode !== undefined) return `E${report.statusCode}`;
  return report?.error?.code ?? '';
}

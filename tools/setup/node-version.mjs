/** The oldest Node.js that the services start on: older ones cannot `require()` ES modules. */
const oldest = [20, 19];

/** The oldest minor version of each supported release line. TypeORM and oxlint need at least these. */
const supportedFrom = { 22: 13, 24: 11 };

const advice = 'Install Node.js 24 (24.11 or newer) or 22 (22.13 or newer).';

/**
 * Judges the version of Node.js that runs this program. Lines newer than 24 pass without a warning.
 *
 * @param {string} version as in `process.versions.node`
 * @returns {{ starts: boolean, message?: string }} `message` says why the program stops, or warns
 */
export function judgeNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (isOlder([major, minor], oldest))
    return { starts: false, message: `Node.js ${version} is older than 20.19. ${advice}` };
  if (major === 20)
    return { starts: true, message: `Warning: Node.js 20 gets no security fixes since April 2026. ${advice}` };
  const from = /** @type {Record<string, number>} */ (supportedFrom)[major];
  if (major > 24 || (from !== undefined && minor >= from)) return { starts: true };
  return { starts: true, message: `Warning: Node.js ${version} is not supported. ${advice}` };
}

/** @param {number[]} a @param {number[]} b */
function isOlder([major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]) {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

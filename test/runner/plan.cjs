const { extract, parse } = require('jest-docblock');

/** In their running order. The names are those of the projects in jest.config.js. */
const tiers = /** @type {const} */ (['fast', 'e2e', 'system']);

/** For a file without `@weight`: the processor cores that it uses on average, and its duration. */
const usualLoads = {
  fast: { weight: 1, seconds: 1 },
  e2e: { weight: 0.6, seconds: 3 },
  system: { weight: 0.7, seconds: 25 },
};

/** A comment for the runner that it would not find: `extract` reads only the top of a file. */
const misplaced = /^\/\*\* @weight /m;

const form = /^(?<cores>\d+(?:\.\d+)?)(?: for (?<seconds>\d+) s)?$/;

/**
 * Reads `@weight <cores>` or `@weight <cores> for <seconds> s` from the comment at the top of a test file.
 *
 * @param {string} source of the test file
 * @param {typeof tiers[number]} tier
 * @returns {{ weight: number, seconds: number }} cores, and how long the file runs on a quiet machine
 * @throws {Error} for a weight of another form, in another place, or that is not from 0.1 to 8
 */
function loadOf(source, tier) {
  const comment = extract(source);
  if (misplaced.test(source.replace(comment, '')))
    throw new Error('@weight stands below imports; write it at the top of the file');
  const { weight } = parse(comment);
  if (weight === undefined) return usualLoads[tier];
  const { cores, seconds = usualLoads[tier].seconds } = form.exec(String(weight))?.groups ?? {};
  const load = { weight: Number(cores), seconds: Number(seconds) };
  if (!(load.weight >= 0.1 && load.weight <= 8)) {
    throw new Error(`@weight is ${String(weight)}; write a number from 0.1 to 8, or for example "0.3 for 50 s"`);
  }
  return load;
}

/**
 * Which files share processes, and how many at most: beyond it, a broken process would hide too much. Loading the modules of such
 * files takes longer than most of their tests.
 */
const sharing = [
  { tier: 'fast', folder: '', most: 80 },
  { tier: 'e2e', folder: 'apps/gateway/', most: 16 },
  { tier: 'e2e', folder: 'apps/sfu/', most: 16 },
  { tier: 'e2e', folder: 'apps/transcoder/src/delivery/', most: 16 },
];

/**
 * Says which files may share a process: those of one folder and one environment of tests, which load the same modules. A file that
 * states its weight runs alone: it mostly waits, or changes what others would see.
 *
 * @param {string} path below the root of the repository
 * @param {string} source of the test file
 * @param {typeof tiers[number]} tier
 * @returns {{ group: string, environment: string, most: number } | undefined} none for a file that needs its own process
 */
function sharedProcess(path, source, tier) {
  const rule = sharing.find(each => each.tier === tier && path.startsWith(each.folder));
  const tags = parse(extract(source));
  if (!rule || tags['weight']) return undefined;
  const environment = String(tags['jest-environment'] ?? 'node');
  return { group: `${rule.folder.replaceAll('/', '-')}${environment}`, environment, most: rule.most };
}

/**
 * Spreads files over suites of about the same duration, one or several for each core.
 *
 * @template {{ seconds: number }} File
 * @param {File[]} files longest first
 * @param {number} cores
 * @param {number} most files in one suite, where these are alike
 * @returns {File[][]}
 */
function suitesOf(files, cores, most) {
  const count = Math.min(files.length, cores * Math.ceil(files.length / (cores * most)));
  const suites = Array.from({ length: count }, () => ({ seconds: 0, files: /** @type {File[]} */ ([]) }));
  for (const file of files) {
    const shortest = suites.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    shortest.files.push(file);
    shortest.seconds += file.seconds;
  }
  return suites.map(suite => suite.files);
}

/**
 * Chooses the waiting files to start now: in their order, each that fits beside the running ones. A file that is heavier than
 * the machine runs alone.
 *
 * @template {{ weight: number }} File
 * @param {File[]} waiting
 * @param {{ weight: number }[]} running
 * @param {number} cores
 * @returns {File[]}
 */
function filesToStart(waiting, running, cores) {
  /** @type {File[]} */
  const chosen = [];
  // In hundredths: sums of 0.1 are not exact.
  let free = hundredths(cores) - running.reduce((sum, { weight }) => sum + hundredths(weight), 0);
  for (const file of waiting) {
    const needed = hundredths(file.weight);
    const isFirst = running.length + chosen.length === 0;
    if (needed > free && !isFirst) continue;
    chosen.push(file);
    free -= needed;
  }
  return chosen;
}

/** @param {number} cores */
function hundredths(cores) {
  return Math.round(cores * 100);
}

module.exports = { tiers, loadOf, sharedProcess, suitesOf, filesToStart };

const { extract, parse } = require('jest-docblock');

/** In their running order. The names are those of the projects in jest.config.js. */
const tiers = /** @type {const} */ (['fast', 'e2e', 'system']);

/** For a file without `@weight`: the processor cores that it uses on average, and its duration. */
const usualLoads = {
  fast: { weight: 0.65, seconds: 0.3 },
  e2e: { weight: 0.45, seconds: 4 },
  system: { weight: 0.7, seconds: 25 },
};

/** A comment for the runner that it would not find: `extract` reads only the top of a file. */
const misplaced = /^\/\*\* @(?:weight|seconds) /m;

const form = /^(?<cores>\d+(?:\.\d+)?)(?: for (?<seconds>\d+) s)?$/;

/**
 * Reads `@weight <cores>`, `@weight <cores> for <seconds> s` or `@seconds <seconds>` from the comment at the top of a test file.
 *
 * @param {string} source of the test file
 * @param {typeof tiers[number]} tier
 * @returns {{ weight: number, seconds: number }} cores, and how long the file runs on a quiet machine
 * @throws {Error} for a weight of another form, in another place, or that is not from 0.1 to 8
 */
function loadOf(source, tier) {
  const comment = extract(source);
  if (misplaced.test(source.replace(comment, '')))
    throw new Error('@weight or @seconds stands below imports; write it at the top of the file');
  const { weight, seconds: long = usualLoads[tier].seconds } = parse(comment);
  if (!(Number(long) > 0)) throw new Error(`@seconds is ${String(long)}; write a positive number`);
  if (weight === undefined) return { ...usualLoads[tier], seconds: Number(long) };
  const { cores, seconds = long } = form.exec(String(weight))?.groups ?? {};
  const load = { weight: Number(cores), seconds: Number(seconds) };
  if (!(load.weight >= 0.1 && load.weight <= 8)) {
    throw new Error(`@weight is ${String(weight)}; write a number from 0.1 to 8, or for example "0.3 for 50 s"`);
  }
  return load;
}

/**
 * Which files share processes, and about how many: enough, as loading their modules takes longer than most of their tests, but not too
 * many, as a process that breaks fails them all.
 */
const sharing = [
  { tier: 'fast', folder: '', least: 1, most: 120 },
  { tier: 'e2e', folder: 'apps/gateway/', least: 8, most: 40 },
  { tier: 'e2e', folder: 'apps/sfu/', least: 20, most: 40 },
  { tier: 'e2e', folder: 'apps/transcoder/src/delivery/', least: 20, most: 40 },
];

/**
 * Says which files may share a process: those of one folder and one environment of tests, which load the same modules. A file that
 * states its weight runs alone: it mostly waits, or changes what others would see.
 *
 * @param {string} path below the root of the repository
 * @param {string} source of the test file
 * @param {typeof tiers[number]} tier
 * @returns {{ group: string, environment: string, least: number, most: number } | undefined} none for a file that needs its own process
 */
function sharedProcess(path, source, tier) {
  const rule = sharing.find(each => each.tier === tier && path.startsWith(each.folder));
  const tags = parse(extract(source));
  if (!rule || tags['weight']) return undefined;
  const environment = String(tags['jest-environment'] ?? 'node');
  const { folder, least, most } = rule;
  return { group: `${folder.replaceAll('/', '-')}${environment}`, environment, least, most };
}

/**
 * Divides files into suites of about the same duration, one or several for each core. Neighbours come into the same suite, as they load
 * the same modules.
 *
 * @template {{ seconds: number }} File
 * @param {File[]} files in the order of their paths
 * @param {number} cores
 * @param {{ least: number, most: number }} size of a suite in files, where these are alike; few files are one suite
 * @returns {File[][]}
 */
function suitesOf(files, cores, { least, most }) {
  const count = Math.min(Math.ceil(files.length / least), cores * Math.ceil(files.length / (cores * most)));
  const suites = Array.from({ length: count }, () => /** @type {File[]} */ ([]));
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  let before = 0;
  for (const file of files) {
    const middle = total > 0 ? (before + file.seconds / 2) / total : 0;
    suites[Math.min(Math.floor(middle * count), count - 1)]?.push(file);
    before += file.seconds;
  }
  return suites.filter(suite => suite.length > 0);
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

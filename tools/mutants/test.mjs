// npm run test:mutants [part…]: changes each pure part in many small ways, and fails if the tests of a part miss too many changes.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { globSync } from 'tinyglobby';
import { pureParts } from './pure-parts.mjs';

/** Per cent of the changes of a part that its tests must notice. */
const leastScore = 80;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, again: { type: 'boolean', default: false } },
});

// The root's tsconfig.json leaves the copies out that Stryker makes, and so their decorators.
process.env.TSX_TSCONFIG_PATH = join(import.meta.dirname, 'tsconfig.json');

/** @param {import('./pure-parts.mjs').PurePart} part */
async function measure({ name, files, specs = [], except = [], without = [] }) {
  const results = await new Stryker({
    mutate: [...files.map(file => `${file}.ts`), '!**/*.spec.ts', ...except.map(file => `!**/${file}.ts`)],
    plugins: [import.meta.resolve('./one-process-runner.mjs')],
    testRunner: 'one-process',
    testRunnerNodeArgs: ['--import', 'tsx', '--no-warnings'],
    specs: globSync(
      [...files, ...specs].map(file => `${file}.spec.ts`),
      { ignore: without.map(file => `${file}.spec.ts`) },
    ),
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    ignorePatterns: ['**/dist', '.rtms', 'bench', 'docs', 'deploy', 'apps/dashboard', 'coverage'],
    tempDirName: '.mutants',
    incremental: true,
    incrementalFile: `node_modules/.cache/mutants/${name}.json`,
    force: values.again,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    concurrency: Number(values.concurrency),
    // A loaded machine needs longer than the tests of one change: without this, slowness would count as noticed.
    timeoutMS: 90_000,
  }).runMutationTest();
  /** @param {string[]} statuses */
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const [failed, endless] = [count('Killed'), count('Timeout')];
  const mutants = failed + endless + count('Survived', 'NoCoverage');
  return { part: name, mutants, failed, endless, score: Math.round((1000 * (failed + endless)) / mutants) / 10 };
}

const unknown = positionals.filter(name => !pureParts.some(part => part.name === name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${pureParts.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const scores = [];
for (const part of pureParts) {
  if (positionals.length === 0 || positionals.includes(part.name)) scores.push(await measure(part));
}
console.table(scores);
if (scores.some(({ score }) => score < leastScore)) {
  console.error(`Each part must reach ${leastScore} %. The list above names the changes that no test noticed.`);
  process.exitCode = 1;
}

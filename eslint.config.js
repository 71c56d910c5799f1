import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const testFiles = ['**/*.spec.{ts,tsx}', '**/*.e2e-spec.ts', '**/*.system-spec.ts', '**/*.contract.ts'];

/** What only tests use. */
const testSupport = ['test/**/*.ts', 'apps/*/test/**/*.ts', 'bench/**/*.ts', '**/testing/**/*.ts'];

/** The size of things: what does not fit has more than one job. Declarative code and tests are long by nature. */
/** @type {import('eslint').Linter.RulesRecord} */
const size = {
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 10],
  'max-depth': ['error', 3],
};

/**
 * In tests bodies of responses and doubles of ports are loosely typed by nature, and what a failed set-up
 * left undefined is still cleaned up.
 * @type {import('eslint').Linter.RulesRecord}
 */
const looseTypes = {
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
  '@typescript-eslint/no-unnecessary-condition': 'off',
};

/** Folders whose product code takes time and timers from the port of @rtms/clock, so that tests can move the time. */
const foldersWithClock = ['apps/{gateway,sfu,transcoder,ingest}/src', 'libs/*/src'];

/** @rtms/clock implements the port. Code of @rtms/testing waits for other processes, whose time no test can move. */
const foldersWithSystemTime = ['libs/{clock,testing}/src/**'];

const clockMessage = 'Take the time and timers from the injected Clock of @rtms/clock.';

const rawClocks = [
  'MemberExpression[object.name="Date"][property.name="now"]',
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'CallExpression[callee.name="Date"]',
].map(selector => ({ selector, message: clockMessage }));

const throwingChecks = {
  selector: 'CallExpression[callee.property.name="safeParse"]',
  message: 'Use checkValue of @rtms/http: safeParse throws at some values.',
};

/** @type {import('eslint').Linter.RulesRecord} */
const timeByClock = {
  'no-restricted-globals': ['error', ...['setTimeout', 'setInterval'].map(name => ({ name, message: clockMessage }))],
  'no-restricted-imports': [
    'error',
    {
      paths: ['node:timers', 'node:timers/promises', 'timers', 'timers/promises'].map(name => ({
        name,
        message: clockMessage,
      })),
    },
  ],
  'no-restricted-syntax': ['error', ...rawClocks],
};

const waitingForTime = {
  selector: 'CallExpression[callee.name="setTimeout"]',
  message: 'Wait for a state or an event, not for a time.',
};

const pollingForCount = {
  selector:
    'CallExpression[callee.name=/^waitFor/] BinaryExpression[operator=/^[!=]==$/] MemberExpression[property.name=/^(length|size|count)$/]',
  message: 'A count that passes the number between two polls is waited for in vain. Await the event, or use >=.',
};

const hookOfAllFiles = {
  selector: 'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
  message: 'Write the hook inside a describe: files share a process.',
};

/** Files of the gateway that may contain SQL as text. Three folders of `platform` are the mechanisms under the repositories. */
const filesWithSql = [
  '**/*.repository.ts',
  '**/migrations/**/*.ts',
  'apps/gateway/src/platform/{changes,database,rows}/*.ts',
];

const rawSql = {
  selector: 'CallExpression[callee.property.name="query"]',
  message: 'Use TypeORM. If TypeORM cannot express the statement, put it into a *.repository.ts file.',
};

const environment = { object: 'process', property: 'env', message: 'The environment is read once, by @rtms/config.' };

const joinedSignals = {
  object: 'AbortSignal',
  property: 'any',
  message:
    'Node.js may lose an abort whose source is garbage (nodejs/node#57736, #65995). Abort one controller, or race.',
};

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.rtms/', 'coverage/', 'test/browser/pages/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './apps/dashboard/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      ...size,
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // What implements a port's promise need not wait for anything itself.
      '@typescript-eslint/require-await': 'off',
      // Rows and DTOs have no behaviour that a copy could lose.
      '@typescript-eslint/no-misused-spread': 'off',
      // A parameter that only names a result's type documents what a message carries.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Numbers and identifiers in messages are what templates are for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A module of Nest is a class with nothing in it.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true, allowEmpty: true },
      ],
      // `() => stop()` is shorter than a block and says the same.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // `=> void x` says that a result is not wanted.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // Types of libraries that parse text are not always true; a conversion makes them so.
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      // The compiler wants brackets for names that are not declared.
      '@typescript-eslint/dot-notation': 'off',
      'no-restricted-properties': ['error', environment, joinedSignals],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { ecmaVersion: 2024, globals: nodeGlobals() },
    rules: {
      ...size,
      eqeqeq: ['error', 'always'],
      'no-restricted-properties': ['error', joinedSignals],
      'no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  { files: ['examples/*/page.mjs'], languageOptions: { globals: browserGlobals() } },
  // A component is the tree that it shows; what it does stands in hooks and functions of their own.
  {
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  // Made from the OpenAPI documents, and the catalogue of texts.
  {
    files: ['apps/dashboard/src/{api/generated,texts}/*.ts', 'libs/server/src/generated/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['apps/dashboard/src/api/generated/*.ts', 'libs/server/src/generated/*.ts'],
    rules: { '@typescript-eslint/consistent-indexed-object-style': 'off' },
  },
  // A lib's users read its signatures.
  { files: ['libs/*/src/**/*.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' } },
  // Parsers of bytes: each has checked the length before it reads.
  {
    files: [
      'apps/transcoder/src/rtp/**/*.ts',
      'apps/transcoder/src/encoder/matroska/matroska.ts',
      'libs/bitstream/src/**/*.ts',
    ],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: testSupport,
    rules: { ...looseTypes, 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['libs/config/**', 'libs/testing/**', 'tools/**', 'test/**', 'apps/*/test/**', 'bench/**', ...testFiles],
    rules: { 'no-restricted-properties': ['error', joinedSignals] },
  },
  {
    files: ['tools/**', 'test/**', 'apps/*/test/**', 'bench/**', 'apps/*/src/**/cli/**', 'apps/*/src/**/*.cli.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: [...testFiles, 'test/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      // A test may check after itself that nothing is left open.
      'jest/no-standalone-expect': ['error', { additionalTestBlockFunctions: ['afterEach'] }],
      'jest/no-identical-title': 'error',
      // Waiting for a state is an assertion: it throws a sentence when the state does not come.
      'jest/expect-expect': [
        'error',
        {
          assertFunctionNames: [
            ...['expect*', 'assert*', 'waitFor*', 'becomes*', 'receives*', 'until*', 'fc.assert'],
            ...['**.expect*', '**.*Becomes', '**.knows', '**.showsMoreFrames'],
          ],
        },
      ],
      'jest/no-conditional-expect': 'off',
      'jest/valid-title': ['error', { ignoreTypeOfDescribeName: true, disallowedWords: ['works', 'correctly'] }],
      'no-restricted-syntax': ['error', waitingForTime, pollingForCount],
      ...looseTypes,
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // These files share a process: a hook outside of describe would be one of all files.
  {
    files: [
      'apps/gateway/**/*.e2e-spec.ts',
      'apps/sfu/src/{commands,metrics,signalling}/**/*.e2e-spec.ts',
      'apps/transcoder/src/delivery/**/*.e2e-spec.ts',
    ],
    rules: { 'jest/require-top-level-describe': 'error' },
  },
  {
    files: ['**/*.spec.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', waitingForTime, pollingForCount, hookOfAllFiles] },
  },
  {
    files: ['**/*.contract.ts'],
    rules: { 'jest/no-export': 'off', 'jest/valid-describe-callback': 'off', 'jest/require-top-level-describe': 'off' },
  },
  {
    files: foldersWithClock.map(folder => `${folder}/**/*.{ts,tsx}`),
    ignores: [...testFiles, '**/testing/**', ...foldersWithSystemTime],
    rules: timeByClock,
  },
  {
    files: ['apps/{sfu,transcoder,ingest}/src/**/*.ts'],
    ignores: [...testFiles, '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', ...rawClocks, throwingChecks] },
  },
  {
    files: ['apps/gateway/src/**/*.ts'],
    ignores: [...testFiles, '**/testing/**', ...filesWithSql],
    rules: { 'no-restricted-syntax': ['error', ...rawClocks, throwingChecks, rawSql] },
  },
  // A migration is the statements of one change, in a row.
  { files: ['**/migrations/**/*.ts'], rules: { 'max-lines-per-function': 'off' } },
);

/**
 * Names that Node gives to every module; the compiler knows them, ESLint's own rules for JavaScript do not.
 * @returns {Record<string, 'readonly'>}
 */
function nodeGlobals() {
  const names =
    'process console Buffer URL URLSearchParams fetch AbortController AbortSignal setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate structuredClone performance globalThis require module TextDecoder TextEncoder Event EventTarget WebSocket Response Request Headers FormData Blob queueMicrotask crypto';
  return Object.fromEntries(names.split(' ').map(name => [name, 'readonly']));
}

/**
 * Names that pages of the examples use.
 * @returns {Record<string, 'readonly'>}
 */
function browserGlobals() {
  const names = 'document navigator MediaStream RTCPeerConnection';
  return Object.fromEntries(names.split(' ').map(name => [name, 'readonly']));
}

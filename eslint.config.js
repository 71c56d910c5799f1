import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

const testFiles = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.system-spec.ts', '**/*.contract.ts'];

/** The size of things: what does not fit has more than one job. Declarative code and tests are long by nature. */
const size = {
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 10],
  'max-depth': ['error', 3],
};

const environmentMessage = 'The environment is read once, by @rtms/config.';

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.rtms/', 'coverage/', 'test/browser/pages/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...size,
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // A parameter that only names a result's type documents what a message carries.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Numbers and identifiers in messages are what templates are for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A module of Nest is a class with nothing in it.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
      // `() => stop()` is shorter than a block and says the same.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      // The compiler wants brackets for names that are not declared.
      '@typescript-eslint/dot-notation': 'off',
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environmentMessage }],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { ecmaVersion: 2024, globals: nodeGlobals() },
    rules: { ...size, eqeqeq: ['error', 'always'] },
  },
  {
    files: ['libs/config/**', 'libs/testing/**', 'tools/**', 'test/**', 'bench/**', ...testFiles],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['tools/**', 'test/**', 'bench/**', 'apps/*/src/cli/**', 'apps/*/src/**/*.cli.ts'],
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
      'jest/no-standalone-expect': 'error',
      'jest/no-identical-title': 'error',
      // Waiting for a state is an assertion: `waitFor` throws a sentence.
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expect*', 'assert*', 'waitFor', 'fc.assert', 'request.**.expect'] },
      ],
      'jest/no-conditional-expect': 'off',
      'jest/valid-title': ['error', { ignoreTypeOfDescribeName: true, disallowedWords: ['works', 'correctly'] }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.name="setTimeout"]',
          message: 'Wait for a state or an event, not for a time.',
        },
      ],
      // Bodies of responses and doubles of ports are loosely typed by nature.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
    },
  },
  {
    files: ['**/*.contract.ts'],
    rules: { 'jest/no-export': 'off', 'jest/valid-describe-callback': 'off', 'jest/require-top-level-describe': 'off' },
  },
  // A migration is the statements of one change, in a row.
  { files: ['**/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
);

/** Names that Node gives to every module; the compiler knows them, ESLint's own rules for JavaScript do not. */
function nodeGlobals() {
  const names =
    'process console Buffer URL URLSearchParams fetch AbortController AbortSignal setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate structuredClone performance globalThis require module TextDecoder TextEncoder Event EventTarget WebSocket Response Request Headers FormData Blob queueMicrotask crypto';
  return Object.fromEntries(names.split(' ').map(name => [name, 'readonly']));
}

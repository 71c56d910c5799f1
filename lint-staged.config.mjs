/** For the hook in tools/hooks: lint and format of the staged files, then the types of all files, which depend on each other. */
export default {
  '*': 'oxfmt --check --no-error-on-unmatched-pattern',
  '*.{ts,tsx,js,mjs,cjs}': 'oxlint --no-error-on-unmatched-pattern',
  '*.{ts,tsx,mjs,json}': () => 'npm run check:types',
};

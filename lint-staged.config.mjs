/** For the hook in tools/hooks: lint and format of the staged files, then the types of all files, which depend on each other. */
export default {
  '*': 'prettier --check --ignore-unknown',
  '*.{ts,tsx,js,mjs,cjs}': 'eslint --no-warn-ignored',
  '*.{ts,tsx,mjs,json}': () => 'npm run check:types',
};

// Rules of this project for oxlint, which takes them as a plugin. Each forbids what its selectors match; `.oxlintrc.json` says where.

/**
 * @param {string} message
 * @param {...string} selectors in the language of ESLint: https://eslint.org/docs/latest/extend/selectors
 */
const forbid = (message, ...selectors) => ({
  meta: { type: /** @type {const} */ ('problem'), schema: [] },
  /** @param {{ report(problem: { node: object, message: string }): void }} context */
  create: context => {
    const report = (/** @type {object} */ node) => context.report({ node, message });
    return Object.fromEntries(selectors.map(selector => [selector, report]));
  },
});

export default {
  meta: { name: 'rtms' },
  rules: {
    clock: forbid(
      'Take the time and timers from the injected Clock of @rtms/clock.',
      'MemberExpression[object.name="Date"][property.name="now"]',
      'NewExpression[callee.name="Date"][arguments.length=0]',
      'CallExpression[callee.name="Date"]',
      ':not(MemberExpression) > Identifier[name=/^set(Timeout|Interval)$/]',
      ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^(node:)?timers(\\/promises)?$/]',
    ),
    'checked-values': forbid(
      'Use checkValue of @rtms/http: safeParse throws at some values.',
      'CallExpression[callee.property.name="safeParse"]',
    ),
    'sql-in-repositories': forbid(
      'Use TypeORM. If TypeORM cannot express the statement, put it into a *.repository.ts file.',
      'CallExpression[callee.property.name="query"]',
    ),
    'no-wait-for-time': forbid(
      'Wait for a state or an event, not for a time.',
      'CallExpression[callee.name="setTimeout"]',
    ),
    'no-polled-count': forbid(
      'A count that passes the number between two polls is waited for in vain. Await the event, or use >=.',
      'CallExpression[callee.name=/^waitFor/] BinaryExpression[operator=/^[!=]==$/] MemberExpression[property.name=/^(length|size|count)$/]',
    ),
    'hooks-in-describe': forbid(
      'Write the hook inside a describe: files share a process.',
      'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
    ),
  },
};

import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const grave = ['serious', 'critical'];

/** What axe finds serious or critical on a page: rule, place and what it asks for. */
export async function graveFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the driver: the page's own policy lets no foreign script in.
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`);
  const options: RunOptions = { resultTypes: ['violations'] };
  if (rules) options.runOnly = { type: 'rule', values: [...rules] };
  const { violations } = await page.evaluate(
    given => (globalThis as unknown as { axe: typeof axe }).axe.run(document, given),
    options,
  );
  return violations
    .filter(({ impact }) => grave.includes(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}

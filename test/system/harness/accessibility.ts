import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const grave = ['serious', 'critical'];

/** Most of axe's time goes into contrast, and the same colours stand on many pages. */
const contrast = 'color-contrast';

/**
 * Lists what axe finds serious or critical on a page: rule, place and what it asks for.
 *
 * @param part all rules, or all but contrast, or contrast alone
 */
export async function graveFindings(page: Page, part: 'all' | 'structure' | 'contrast' = 'all'): Promise<string[]> {
  // Evaluated by the driver: the page's own policy lets no foreign script in.
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`);
  const options: RunOptions = {
    resultTypes: ['violations'],
    preload: false,
    ...(part === 'structure' && { rules: { [contrast]: { enabled: false } } }),
    ...(part === 'contrast' && { runOnly: { type: 'rule', values: [contrast] } }),
  };
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

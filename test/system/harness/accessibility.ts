import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Only pages run it. jest would compile an imported axe for nothing. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Contrast takes most of axe's time, and many pages share their colours. */
const contrast = 'color-contrast';

/**
 * Lists what axe finds serious or critical on a page: rule, place and what it asks for.
 *
 * @param part all rules, or all but contrast, or contrast alone
 */
export async function graveFindings(page: Page, part: 'all' | 'structure' | 'contrast' = 'all'): Promise<string[]> {
  // Evaluated by the driver: the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(runAxe, {
    resultTypes: ['violations'],
    preload: false,
    ...(part === 'structure' && { rules: { [contrast]: { enabled: false } } }),
    ...(part === 'contrast' && { runOnly: { type: 'rule', values: [contrast] } }),
  } satisfies RunOptions);
}

/** Runs and filters in the page, because sending the whole result takes longer than finding it. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}

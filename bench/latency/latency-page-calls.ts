import type { Page } from 'playwright-core';
import type { LatencyPage } from './latency-page.js';

/** Calls a function of the latency page. */
export async function on<Name extends keyof LatencyPage>(
  page: Page,
  name: Name,
  ...args: Parameters<LatencyPage[Name]>
): Promise<Awaited<ReturnType<LatencyPage[Name]>>> {
  const result: unknown = await page.evaluate(
    ([called, values]) =>
      (globalThis as unknown as { latency: Record<string, (...given: unknown[]) => unknown> }).latency[called]?.(
        ...values,
      ),
    [name, args] as [string, unknown[]],
  );
  return result as Awaited<ReturnType<LatencyPage[Name]>>;
}

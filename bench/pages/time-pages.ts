import { percentile } from '../percentile.js';

export const pageSize = 20;

export interface PagedList {
  url: string;
  authorization: string;
  /** How many items a page has. */
  itemsIn: (body: unknown) => number;
}

export interface PageTimes {
  /** By the number of the page, from 1. */
  p50Ms: Record<number, number>;
  p99Ms: Record<number, number>;
  /** The slowest page divided by the first. */
  factor: number;
}

async function timePage({ url, authorization, itemsIn }: PagedList, page: number): Promise<number> {
  const started = performance.now();
  const query = `startIndex=${(page - 1) * pageSize}&pageSize=${pageSize}`;
  const answer = await fetch(`${url}${url.includes('?') ? '&' : '?'}${query}`, {
    headers: { Authorization: authorization },
  });
  const body: unknown = await answer.json();
  if (itemsIn(body) !== pageSize) throw new Error(`${answer.status} for page ${page}: ${JSON.stringify(body)}`);
  return performance.now() - started;
}

/** In turns, so that other load on the machine affects all pages alike. */
export async function timePages(list: PagedList, pages: readonly number[], turns: number): Promise<PageTimes> {
  const times = new Map(pages.map(page => [page, [] as number[]]));
  for (const page of pages) await timePage(list, page);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [page, each] of times) each.push(await timePage(list, page));
  }
  const at = (share: number) => Object.fromEntries([...times].map(([page, each]) => [page, percentile(each, share)]));
  const p50Ms: Record<number, number> = at(0.5);
  const first = p50Ms[1] ?? NaN;
  return { p50Ms, p99Ms: at(0.99), factor: Math.round((Math.max(...Object.values(p50Ms)) / first) * 100) / 100 };
}

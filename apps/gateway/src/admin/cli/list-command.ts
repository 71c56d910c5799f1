import { InvalidArgumentError, type Command } from 'commander';
import type { AdminClient } from './admin-client.js';

/** The greatest page of `/admin/v1`. */
const pageSize = 100;
const defaultLimit = 1_000;

interface ListOptions {
  limit: number;
  skip: number;
  account?: string;
}

/** A list of `/admin/v1`: its path and the name of its records in the answer. */
interface ListedRecords {
  path: string;
  records: string;
}

/** Gives a command the options of a list. `run` sends its requests and prints the answer. */
export function makeList(
  command: Command,
  run: (call: (client: AdminClient) => Promise<object>) => Promise<void>,
  listed: ListedRecords,
): Command {
  return command
    .option('--limit <count>', 'greatest number of records', wholeNumber, defaultLimit)
    .option('--skip <count>', 'number of records to skip, newest first', wholeNumber, 0)
    .action((options: ListOptions) => run(api => readPages(api, listed, options)));
}

/** Reads pages until it has `limit` records. The answer has the form of one page. */
async function readPages(api: AdminClient, { path, records }: ListedRecords, options: ListOptions): Promise<object> {
  const { limit, skip, account } = options;
  const found: unknown[] = [];
  for (;;) {
    const query = new URLSearchParams({
      startIndex: String(skip + found.length),
      pageSize: String(Math.min(pageSize, limit - found.length)),
      ...(account !== undefined && { accountID: account }),
    });
    const page = (await api.get(`${path}?${query.toString()}`)) as Record<string, unknown>;
    const items = page[records] as unknown[];
    found.push(...items);
    const total = page['total'] as number;
    if (items.length > 0 && found.length < limit && skip + found.length < total) continue;
    return { success: true, [records]: found, total, startIndex: skip, pageSize: limit };
  }
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

import type { ApiRequest, CallOptions, Transport } from './transport.js';

/** The greatest page that the API answers: the fewest requests for all records. */
const pageSize = 100;

export interface Page<Item> {
  items: Item[];
  /** Matching records on all pages. A list with cursors has none. */
  total: number | undefined;
  /** Whether a later page has records. */
  hasMore: boolean;
}

interface ListAnswer {
  [items: string]: unknown;
  total?: number;
  startIndex?: number;
  nextCursor?: string | null;
  hasMore?: boolean;
}

/**
 * The records of a list, read page by page as they are needed:
 *
 *     for await (const room of rtms.rooms.list({ state: 'active' })) …
 *     const { items, total } = await rtms.rooms.list({ pageSize: 20 }).page();
 *
 * Lists begin with the newest record, so a record that is created meanwhile can make an older one appear twice.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #transport: Transport;
  readonly #request: ApiRequest;
  readonly #items: string;
  readonly #options: CallOptions;

  constructor(transport: Transport, request: ApiRequest, items: string, options: CallOptions) {
    this.#transport = transport;
    // Without the envelope, logs are a plain array.
    const query = { ...request.query, ...(items === 'data' && { envelope: '1' }) };
    this.#request = { ...request, query };
    this.#items = items;
    this.#options = options;
  }

  /** The page that the query names, by default the first. */
  async page(): Promise<Page<Item>> {
    return (await this.#read(this.#request.query ?? {})).page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let next: Record<string, unknown> | undefined = { pageSize, ...this.#request.query };
    while (next) {
      const { page, following }: { page: Page<Item>; following: Record<string, unknown> } = await this.#read(next);
      yield* page.items;
      next = page.hasMore ? { ...next, ...following } : undefined;
    }
  }

  async #read(query: Record<string, unknown>) {
    const answer = (await this.#transport.send({ ...this.#request, query }, this.#options)) as ListAnswer;
    // A filter can name one record; the answer then has the record itself.
    const listed = answer[this.#items];
    const items = (Array.isArray(listed) ? listed : Object.values(answer).filter(isRecord)) as Item[];
    const { total, startIndex = 0, nextCursor, hasMore } = answer;
    const end = startIndex + items.length;
    const isPaged = total !== undefined && items.length > 0 && end < total;
    const page: Page<Item> = { items, total, hasMore: hasMore ?? isPaged };
    return { page, following: typeof nextCursor === 'string' ? { after: nextCursor } : { startIndex: end } };
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

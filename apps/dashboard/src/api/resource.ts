import { request, type QueryValues } from './request.js';

/** Where a page of a list begins and how long it is. */
export interface PageOf {
  startIndex: number;
  pageSize: number;
}

export interface Listing<Item> extends PageOf {
  items: Item[];
  total: number;
  /** false: there are more than `total`, and nobody says how many. */
  isTotalKnown?: boolean;
}

export interface ResourceNames<One extends string, Many extends string, ID extends string> {
  path: string;
  /** The keys of one record, of a list and of the identifier in bodies: `domain`, `domains`, `domainID`. */
  one: One;
  many: Many;
  id: ID;
}

/** A resource of `/v1` that is driven by `action`. */
export interface Resource<Item, Creating, Updating> {
  path: string;
  list(page: PageOf, filter?: QueryValues, signal?: AbortSignal): Promise<Listing<Item>>;
  find(id: string, signal?: AbortSignal): Promise<Item>;
  create(fields: Creating): Promise<Item>;
  update(fields: Updating): Promise<Item>;
  remove(id: string): Promise<void>;
  /** Any other action; answers the whole body. */
  act<Answer>(action: string, fields: object): Promise<Answer>;
}

/** `Item`: its record; `Creating`, `Updating`: the fields of those actions. */
export function resource<Item, Creating = object, Updating = object>({
  path,
  one,
  many,
  id: idName,
}: ResourceNames<string, string, string>): Resource<Item, Creating, Updating> {
  const act = <Answer>(action: string, fields: object) =>
    request<Answer>('POST', path, { body: { action, ...fields } });
  const record = async (answer: Promise<Record<string, Item>>) => (await answer)[one] as Item;
  return {
    path,
    list: (page, filter, signal) => listOf<Item>(path, many, { ...filter, ...page }, signal),
    find: (id, signal) => record(request('GET', path, { query: { action: 'get', [idName]: id }, signal })),
    create: fields => record(act('create', fields as object)),
    update: fields => record(act('update', fields as object)),
    remove: async id => void (await act('delete', { [idName]: id })),
    act,
  };
}

/** One page of any list of `/v1`. */
export async function listOf<Item>(
  path: string,
  many: string,
  query: QueryValues & PageOf,
  signal?: AbortSignal,
): Promise<Listing<Item>> {
  const answer = await request<Record<string, unknown> & Omit<Listing<Item>, 'items'>>('GET', path, { query, signal });
  const { total, startIndex, pageSize } = answer;
  return { items: answer[many] as Item[], total, startIndex, pageSize };
}

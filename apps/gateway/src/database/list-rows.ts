import type { FindOptionsWhere, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { bucketEnd, countedScope, locateStatement, type Located } from './counted-lists.js';

/** What every row of a list has. */
interface Listable extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/**
 * One page, newest first. Ids are looked up in an index that has all that is needed, and only the rows of the page
 * are read. Where the rows of a list are counted as they come and go, a page deep inside costs what the first one does;
 * with a filter its ids and the total are counted along the index.
 */
export async function listRows<Row extends Listable>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  page: Page,
): Promise<Listed<Row>> {
  const given = withoutUndefined(where);
  const scope = countedScope(rows.metadata.tableName, given);
  if (scope !== undefined) return listCounted(rows, given, scope, page);
  const total = await rows.countBy(given);
  return { items: total > page.startIndex ? await readPage(selectIDs(rows, given), rows, page) : [], total };
}

async function listCounted<Row extends Listable>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  scope: string,
  { startIndex, pageSize }: Page,
): Promise<Listed<Row>> {
  const parameters = [rows.metadata.tableName, scope, startIndex];
  const [located] = await rows.query<Located[]>(locateStatement, parameters);
  const total = Number(located?.total ?? 0);
  if (typeof located?.bucket !== 'number') return { items: [], total };
  const ids = selectIDs(rows, where).andWhere('listed.createdAt < :before', { before: bucketEnd(located.bucket) });
  return { items: await readPage(ids, rows, { startIndex: Number(located.skip), pageSize }), total };
}

function selectIDs<Row extends Listable>(rows: Repository<Row>, where: FindOptionsWhere<Row>): SelectQueryBuilder<Row> {
  return rows.createQueryBuilder('listed').select('listed.id').where(where);
}

function readPage<Row extends Listable>(
  ids: SelectQueryBuilder<Row>,
  rows: Repository<Row>,
  { startIndex, pageSize }: Page,
): Promise<Row[]> {
  const page = ids
    .orderBy('listed.createdAt', 'DESC')
    .addOrderBy('listed.id', 'DESC')
    .offset(startIndex)
    .limit(pageSize);
  return rows
    .createQueryBuilder('row')
    .where(`row.id IN (${page.getQuery()})`)
    .setParameters(page.getParameters())
    .orderBy('row.createdAt', 'DESC')
    .addOrderBy('row.id', 'DESC')
    .getMany();
}

function withoutUndefined<Row>(where: FindOptionsWhere<Row>): FindOptionsWhere<Row> {
  return Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined)) as FindOptionsWhere<Row>;
}

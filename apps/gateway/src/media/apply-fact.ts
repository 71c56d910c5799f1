import type { Fact, FactBody } from '@rtms/contracts';
import type { EntityManager, EntityTarget } from 'typeorm';
import type { RowChange } from './fact-decision.js';
import { lockRow, updateRow } from './locked-rows.js';
import type { MediaResource } from './media-resource.entity.js';
import { isCurrent } from './placement.js';

/** What a fact did: the row as it is now, and what else must follow. */
export interface AppliedFact<Row, Effect extends string> {
  row: Row;
  effect: Effect | 'ignored';
}

/**
 * Applies a fact to its locked row. undefined: nobody knows the resource, or the fact is old, or of a node that
 * does not hold it.
 */
export async function applyFact<Row extends MediaResource, Body extends FactBody, Effect extends string>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  fact: Fact<Body>,
  decide: (row: Row, body: Body) => RowChange<Row, Effect> | 'ignored',
): Promise<AppliedFact<Row, Effect> | undefined> {
  const row = await lockRow(manager, entity, fact.resourceID);
  if (!row || !isCurrent(row, fact)) return undefined;
  const change = decide(row, fact.body);
  const factSequence = { factSequence: fact.sequence } as Partial<Row>;
  await updateRow(manager, entity, row, change === 'ignored' ? factSequence : { ...change.set, ...factSequence });
  return { row, effect: change === 'ignored' ? 'ignored' : change.effect };
}

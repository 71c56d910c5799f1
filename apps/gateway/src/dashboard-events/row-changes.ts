import type { DashboardEvent } from '@rtms/contracts';
import type { RowVersion } from './watched-tables.js';

export type Change = DashboardEvent['changes'][number];

/** Finds what was made, changed or deleted between two looks. */
export class RowChanges {
  private known: Map<string, RowVersion> | undefined;

  /** Nothing at the first look. */
  look(rows: readonly RowVersion[]): Change[] {
    const former = this.known;
    this.known = new Map(rows.map(row => [`${row.kind} ${row.id}`, row]));
    if (!former) return [];
    const changed = rows.filter(row => former.get(`${row.kind} ${row.id}`)?.version !== row.version);
    const gone = [...former].filter(([name]) => !this.known?.has(name)).map(([, row]) => row);
    return [...changed, ...gone].map(({ kind, id }) => ({ kind, id }));
  }
}

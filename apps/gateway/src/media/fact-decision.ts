/** Times that a decision needs; the caller brings the clock. */
export interface FactTiming {
  /** When the fact happened. */
  at: Date;
  /** When it is applied: grace counts from here, so that a late fact does not eat it up. */
  now: Date;
  graceMs: number;
}

/** What a fact does to a row: the columns that change and what else must follow from it. */
export interface RowChange<Row, Effect extends string> {
  set: Partial<Row>;
  effect: Effect;
}

export function graceEnd({ now, graceMs }: Pick<FactTiming, 'now' | 'graceMs'>): Date {
  return new Date(now.getTime() + graceMs);
}

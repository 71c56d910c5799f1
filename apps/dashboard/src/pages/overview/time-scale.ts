/** Round steps from zero to at least `most`, for the lines behind a chart; at least one, of a whole number. */
export function scaleTo(most: number, steps = 4): number[] {
  const least = Math.max(most / steps, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= least) ?? least;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Which of `count` labels have room when each needs `labelWidth`: every first, second, third … one. */
export function shownLabels(count: number, width: number, labelWidth: number): number[] {
  const room = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

/** What stands below each value when the rows stand on each other. */
export function stacked(rows: readonly (readonly number[])[]): number[][] {
  let below = (rows[0] ?? []).map(() => 0);
  return rows.map(row => {
    const start = below;
    below = row.map((value, index) => value + (start[index] ?? 0));
    return start;
  });
}

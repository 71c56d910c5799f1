/** The values of the horizontal lines: round steps from 0 to at least `most`. A step is at least 1. */
export function scaleTo(most: number, steps = 4): number[] {
  const least = Math.max(most / steps, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= least) ?? least;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The indexes of the labels to show, if each needs `labelWidth`: every one, every second, every third … */
export function shownLabels(count: number, width: number, labelWidth: number): number[] {
  const room = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

/** For stacked bars: the sum of the rows below each value. */
export function stacked(rows: readonly (readonly number[])[]): number[][] {
  let below = (rows[0] ?? []).map(() => 0);
  return rows.map(row => {
    const start = below;
    below = row.map((value, index) => value + (start[index] ?? 0));
    return start;
  });
}

/** Splits values at the unknown ones, into runs of indexes and values. */
export function knownParts(values: readonly (number | null)[]): [number, number][][] {
  const parts: [number, number][][] = [];
  let part: [number, number][] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) part = undefined;
    else if (part) part.push([index, value]);
    else parts.push((part = [[index, value]]));
  }
  return parts;
}

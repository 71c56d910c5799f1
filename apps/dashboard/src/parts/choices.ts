/** What a choice offers, from its texts: their order is the order in which they are offered. */
export function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

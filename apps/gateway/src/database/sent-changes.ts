/** What an update changes: fields that were left out stay, and so do those that cannot be empty and were sent as null. */
export function sentChanges<Fields extends object, Name extends keyof Fields & string>(
  sent: Partial<Fields>,
  names: readonly Name[],
  nullable: readonly NoInfer<Name>[],
): { [Each in Name]?: Exclude<Fields[Each], undefined> } {
  const isChange = (name: Name) => sent[name] !== undefined && (sent[name] !== null || nullable.includes(name));
  return Object.fromEntries(names.filter(isChange).map(name => [name, sent[name]])) as {
    [Each in Name]?: Exclude<Fields[Each], undefined>;
  };
}

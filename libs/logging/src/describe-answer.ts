/** The columns of lists with many fields. Other lists show all their plain fields. */
const columns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['accountID', 'name', 'apiUserName', 'state', 'createdAt'],
  keys: ['keyID', 'type', 'maskedKey', 'state', 'createdAt', 'lastUsedAt', 'expiresAt'],
  rooms: ['meetingID', 'accountID', 'roomName', 'keyType', 'participantCount', 'externalSessionCount', 'expiresAt'],
  externalSessions: ['sessionID', 'accountID', 'meetingID', 'displayName', 'state', 'nodeID', 'health', 'createdAt'],
  nodes: ['nodeID', 'role', 'version', 'isOutdated', 'load', 'capacity', 'draining', 'publicUrl'],
};

type Fields = Record<string, unknown>;

/** Returns an answer of `/v1` or `/admin/v1` as a table for each list, and a line for each other field. */
export function describeAnswer(answer: object): string {
  const { success: _success, ...fields } = answer as Fields;
  return describeFields(fields, '').join('\n') + '\n';
}

function describeFields(fields: Fields, prefix: string): string[] {
  const { total, startIndex, pageSize, ...others } = fields;
  const isPage = typeof total === 'number' && typeof startIndex === 'number' && typeof pageSize === 'number';
  const plain = isPage ? others : fields;
  const names = Object.keys(plain);
  const width = Math.max(0, ...names.filter(name => !isList(plain[name])).map(name => (prefix + name).length));
  const lines = names.flatMap(name => {
    const value = plain[name];
    if (isList(value)) return describeList(name, value);
    if (isRecord(value)) return describeFields(value, names.length === 1 ? prefix : `${prefix}${name}.`);
    return [`${(prefix + name).padEnd(width)}  ${describeValue(value)}`];
  });
  const shown = Object.values(plain).find(isList)?.length ?? 0;
  if (!isPage || total <= startIndex + shown) return lines;
  return [
    ...lines,
    `${startIndex + 1} to ${startIndex + shown} of ${total}. Continue with --skip ${startIndex + shown}.`,
  ];
}

function describeList(name: string, items: readonly Fields[]): string[] {
  if (items.length === 0) return [`${name}: none`];
  const wanted = columns[name] ?? plainFieldsOf(items);
  const rows = items.map(item => wanted.map(column => describeValue(item[column])));
  const widths = wanted.map((column, at) => Math.max(column.length, ...rows.map(row => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(wanted.map(column => column.toUpperCase())), ...rows.map(line)];
}

function plainFieldsOf(items: readonly Fields[]): string[] {
  const names = new Set(items.flatMap(item => Object.keys(item)));
  return [...names].filter(name => !items.some(item => isRecord(item[name]) || isList(item[name])));
}

/** Control characters in a name could change the terminal. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.map(describeValue).join(',') || '-' : scalarText(value);
  return text.replaceAll(/\p{Cc}/gu, '?');
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every(isRecord);
}

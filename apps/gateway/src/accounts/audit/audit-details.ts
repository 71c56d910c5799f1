/** Fields whose texts the audit log contains, besides identifiers. No secret has one of these names. */
const shownFields: readonly string[] = [
  ...['type', 'role', 'feature', 'entitlement', 'keyType', 'state', 'eventType', 'provider', 'overlapHours'],
  ...['email', 'name', 'nickName', 'apiUserName', 'domain'],
];

const maxFields = 30;
const maxCharacters = 100;

export type AuditDetails = Record<string, string | number | boolean>;

/**
 * Returns the fields of parameters, body and answer that an audit entry may contain: identifiers, numbers, booleans and texts that are
 * not secret. `otherFields` has the names of all other fields.
 */
export function auditDetails(...sources: unknown[]): AuditDetails {
  const details: AuditDetails = {};
  const others = new Set<string>();
  for (const source of sources) {
    for (const [field, value] of fieldsOf(source)) {
      const shown = shownValue(field, value);
      if (shown !== undefined && Object.keys(details).length < maxFields) details[storable(field)] = shown;
      else if (others.size < maxFields) others.add(storable(field));
    }
  }
  for (const field of Object.keys(details)) others.delete(field);
  return others.size === 0 ? details : { ...details, otherFields: storable([...others].join(', '), maxFields * 30) };
}

/** Returns the identifiers in an answer and in the resource that the answer contains. */
export function identifiersIn(answer: unknown): AuditDetails {
  const resources = fieldsOf(answer).map(([, value]) => value);
  const all = [answer, ...resources].flatMap(fieldsOf).filter(([field, value]) => shownIdentifier(field, value));
  return auditDetails(Object.fromEntries(all.slice(0, maxFields)));
}

function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).slice(0, maxFields * 2);
}

function shownIdentifier(field: string, value: unknown): boolean {
  return field.endsWith('ID') && typeof value === 'string';
}

function shownValue(field: string, value: unknown): string | number | boolean | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  return shownIdentifier(field, value) || shownFields.includes(field) ? storable(value) : undefined;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable(text: string, length = maxCharacters): string {
  return text.slice(0, length).replaceAll(/[\p{Control}\p{Surrogate}]/gu, '�');
}

/** What an `If-Match` header says: `any` for `*`, which some clients put into quotes. */
export type IfMatch = 'absent' | 'any' | { tags: string[] };

export function parseIfMatch(header: string | undefined): IfMatch {
  const value = header?.trim() ?? '';
  if (value === '') return 'absent';
  if (value === '*' || value === '"*"') return 'any';
  return { tags: value.match(/(?:W\/)?"[^"]*"|[^",\s]+/g) ?? [] };
}

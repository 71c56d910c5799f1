/** Whether a subject falls under a filter, in which `*` is any one token and `>` is all that follow. */
export function subjectMatches(filter: string, subject: string): boolean {
  const wanted = filter.split('.');
  const tokens = subject.split('.');
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return tokens.length > index;
    if (token !== '*' && token !== tokens[index]) return false;
    if (tokens[index] === undefined) return false;
  }
  return tokens.length === wanted.length;
}

/**
 * Those of the filters under which at least one of the subjects falls; in a filter `*` is any one token. Each subject is
 * looked up once for each form of filter, so that thousands of both take milliseconds.
 */
export function filtersThatMatch(filters: readonly string[], subjects: Iterable<string>): Set<string> {
  const wanted = new Set(filters);
  const forms = new Map(filters.map(filter => [formOf(filter), wildcardsOf(filter)]));
  const found = new Set<string>();
  for (const subject of subjects) {
    const tokens = subject.split('.');
    for (const isWildcard of forms.values()) {
      if (isWildcard.length !== tokens.length) continue;
      const filter = tokens.map((token, index) => (isWildcard[index] ? '*' : token)).join('.');
      if (wanted.has(filter)) found.add(filter);
    }
  }
  return found;
}

/** Filters of one form have their wildcards at the same places. */
function formOf(filter: string): string {
  return wildcardsOf(filter).join();
}

function wildcardsOf(filter: string): boolean[] {
  return filter.split('.').map(token => token === '*');
}

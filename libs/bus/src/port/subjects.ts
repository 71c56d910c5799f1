/** Whether a subject matches a NATS filter: `*` matches one token, `>` all following tokens. */
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
 * Returns the filters that match at least one subject; `*` matches one token. It looks up each subject once per form of
 * filter, so that thousands of filters and subjects take milliseconds.
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

/** Filters of one form have wildcards at the same positions. */
function formOf(filter: string): string {
  return wildcardsOf(filter).join();
}

function wildcardsOf(filter: string): boolean[] {
  return filter.split('.').map(token => token === '*');
}

/**
 * Replaces the id in a subject by `*`, for low cardinality: `rtms.sfu.sfu-1.session.open` becomes
 * `rtms.sfu.*.session.open`, and `rtms.fact.playback.ended.play_1` becomes `rtms.fact.playback.ended.*`.
 */
export function subjectTemplate(subject: string): string {
  const tokens = subject.split('.');
  const id = tokens[1] === 'fact' ? tokens.length - 1 : 2;
  return tokens.map((token, index) => (index === id ? '*' : token)).join('.');
}

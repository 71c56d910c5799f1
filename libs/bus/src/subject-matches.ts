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

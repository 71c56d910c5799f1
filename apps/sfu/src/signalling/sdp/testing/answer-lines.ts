/** The lines of one `m=` section of a description, by mid; the session's own for no mid. */
export function linesOf(sdp: string, mid?: string): string[] {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  const found = mid === undefined ? session : media.find(section => section.includes(`a=mid:${mid}\r\n`));
  if (found === undefined) throw new Error(`There is no section ${mid}.`);
  return found.split('\r\n').filter(line => line !== '');
}

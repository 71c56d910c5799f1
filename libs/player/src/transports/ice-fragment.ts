import { PlayerFailure } from './failure.js';

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter(line => line !== '');
const joined = (lines: readonly string[]): string => lines.map(line => `${line}\r\n`).join('');
const startingWith = (lines: readonly string[], prefix: string) => lines.find(line => line.startsWith(prefix));

/** The body of a PATCH that restarts ICE (RFC 9725 section 4.3.3), made from the new offer. */
export function restartFragment(offer: string): string {
  const lines = linesOf(offer);
  const wanted = ['a=ice-ufrag:', 'a=ice-pwd:', 'm=', 'a=mid:'].map(prefix => startingWith(lines, prefix));
  return joined(wanted.filter(line => line !== undefined));
}

/** The former answer with the credentials and the candidates that the server answered to the PATCH. */
export function restartedAnswer(answer: string, fragment: string): string {
  const renewed = linesOf(fragment);
  const [ufrag, password] = ['a=ice-ufrag:', 'a=ice-pwd:'].map(prefix => startingWith(renewed, prefix));
  if (ufrag === undefined || password === undefined)
    throw new PlayerFailure('bad_answer', 'The answer to the PATCH has no ICE credentials.');
  const candidates = renewed.filter(line => /^a=(?:candidate:|end-of-candidates)/.test(line));
  const lines = linesOf(answer).flatMap(line => {
    if (line.startsWith('a=ice-ufrag:')) return [ufrag];
    if (line.startsWith('a=ice-pwd:')) return [password, ...candidates];
    return /^a=(?:candidate:|end-of-candidates)/.test(line) ? [] : [line];
  });
  return joined(lines);
}

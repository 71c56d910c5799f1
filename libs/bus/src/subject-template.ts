/**
 * A subject without the id that it names, so that there are few of them: `rtms.sfu.sfu-1.session.open` is
 * `rtms.sfu.*.session.open`, and `rtms.fact.playback.ended.play_1` is `rtms.fact.playback.ended.*`.
 */
export function subjectTemplate(subject: string): string {
  const tokens = subject.split('.');
  const id = tokens[1] === 'fact' ? tokens.length - 1 : 2;
  return tokens.map((token, index) => (index === id ? '*' : token)).join('.');
}

import { withoutSecrets } from './scrub-secrets.js';

describe('known secrets in text of another program', () => {
  it.each([
    ['wherever they are, when they are long', 'live_key_1', '/app/live_key_1?x', '/app/[redacted]?x'],
    [
      'as whole words, when they are short',
      'R',
      "REJECT: stream 'R' of FFmpeg",
      "REJECT: stream '[redacted]' of FFmpeg",
    ],
    ['whatever characters they have', 'a.$-', 'streamid=a.$- abc$-', 'streamid=[redacted] abc$-'],
    ['not at all, when they are empty', '', 'REJECT', 'REJECT'],
  ])('are redacted %s', (_, secret, text, shown) => {
    expect(withoutSecrets(text, [secret, undefined])).toBe(shown);
  });
});

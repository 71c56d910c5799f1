import { isHighEntropy, withoutIssued, withoutSecrets } from './secret-text.js';

const none: ReadonlySet<string> = new Set();
/** No real keys: random text after the prefix of each issuer. */
const random = 'q9Zt2LmX8vB4nC6wR1yD5hG0jSa7kE3fU';
const hex = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';

describe('credentials of a known form', () => {
  it.each([
    `sk-${random}`,
    `sk-proj-${random}_x-${random}`,
    `sk_live_${random}`,
    `rk_test_${random}`,
    `ghp_${random}`,
    `github_pat_${random}`,
    `glpat-${random}`,
    `whsec_${random}`,
    `gsk_${random}`,
    `hf_${random}`,
    `xai-${random}`,
    `npm_${random}`,
    `ntn_${random}`,
    `sbp_${hex}`,
    `cal_live_${hex}`,
    `key_${hex}`,
    `xoxb-123456789012-${random}`,
    'AKIAQ3EGP5XW2LMB7TNV',
    `AIza${random}7h`,
    `GOCSPX-${random}`,
    `eyJhbGciOiJI.${random}.${random}`,
    `SG.${random}.${random}`,
    `patAbCdEfGhIjKlMn.${hex}${hex}`,
    'pat-na1-3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    `1234567890:AA${random}`,
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQ',
  ])('are removed from names and prose: %s', key => {
    const text = `Say “${key}” now`;
    for (const { text: clean, removals } of [withoutIssued(text), withoutSecrets(text, none)]) {
      expect(clean).toMatch(/^Say “\[removed\](?:” now)?$/);
      expect(removals).toEqual([{ line: 1, excerpt: `${key.slice(0, 4)}…` }]);
    }
  });

  it.each([
    [
      'of a Slack hook',
      `https://hooks.slack.com/services/T0/B0/${random}`,
      'https://hooks.slack.com/services/[removed]',
    ],
    ['in an address', 'Call https://me:pass1word@h.example/x', 'Call https://h.example/x'],
  ])('are removed %s', (_, text, clean) => {
    expect(withoutIssued(text).text).toBe(clean);
  });

  it.each([
    'sk-SK-ViktoriaNeural',
    'task-based-learning-is-a-skill',
    'key_information_collector_v2',
    'cal_weekly_availability_check',
    'AKIAQ3EGP5XW2LMB7TNVX',
    'eyJhbGciOiJI',
    '10:30:45@noon',
    hex,
    random,
  ])('are not mistaken for %s', text => {
    expect(withoutIssued(text)).toEqual({ text, removals: [] });
  });
});

describe('credentials that a text names', () => {
  it.each([
    [`Authorization: Bearer ${random}`, 'Authorization: Bearer [removed]'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic [removed]'],
    [`The API key is ${hex}.`, 'The API key is [removed].'],
    [`{"access_token": "${hex}"}`, '{"access_token": "[removed]"}'],
    [`password=${random}`, 'password=[removed]'],
    [`secret: '${random}'`, `secret: '[removed]'`],
  ])('are removed from %s', (text, clean) => {
    expect(withoutSecrets(text, none).text).toBe(clean);
    expect(withoutIssued(text).text).toBe(text);
  });

  it.each([
    'Bearer of good news: note mail@harbour.example',
    '# Basic Instructions',
    'Basic aGVsbG8gd29ybGQ=',
    'Basic equipment',
    `Basic ${btoa('\u0001reader:hello')}`,
    `Basic ${btoa('reader:hello\u0001')}`,
    'Ask for the password: appointment-confirmation',
    'The token is YOUR_ACCESS_TOKEN_HERE.',
    `The document ${hex} is open.`,
    'The ticket 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is open.',
  ])('are not mistaken for %s', text => {
    expect(withoutSecrets(text, none)).toEqual({ text, removals: [] });
  });
});

describe('removing credentials', () => {
  it('removes the definition’s own values everywhere', () => {
    const { text, removals } = withoutSecrets(`a ${hex}\nb\nc ${random}, ${hex}`, new Set([hex, random]));
    expect(text).toBe('a [removed]\nb\nc [removed], [removed]');
    expect(removals).toEqual([
      { line: 1, excerpt: '9f8a…' },
      { line: 3, excerpt: 'q9Zt…' },
      { line: 3, excerpt: '9f8a…' },
    ]);
  });

  it('removes a value with which the text begins', () => {
    expect(withoutSecrets(`${hex} is open`, new Set([hex])).text).toBe('[removed] is open');
  });

  it('removes credentials that overlap once', () => {
    const known = new Set([`sk-${random}`, `${random}-and-9more`]);
    expect(withoutSecrets(`x sk-${random}-and-9more y`, known)).toEqual({
      text: 'x [removed] y',
      removals: [{ line: 1, excerpt: 'sk-q…' }],
    });
  });

  it('counts the lines of a credential that has several', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----';
    const { removals } = withoutSecrets(`${pem}\nthen sk-${random}`, none);
    expect(removals.map(({ line }) => line)).toEqual([1, 4]);
  });
});

describe('text that looks generated', () => {
  it.each([
    hex,
    random,
    'k3j9x0a8b7c6d5e4',
    'aB3dE6gH9jK2mN5p',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'QwErTyUiOpAsDfGhJkLz',
  ])('is %s', text => expect(isHighEntropy(text)).toBe(true));

  it.each([
    'check_availability_v17',
    'appointmentConfirmationNumber',
    'gpt-4o-mini-2024-07-18',
    'claude-3-opus-20240229',
    '1234567890123456',
    'k3j9x0a8b7c6d5e',
    'YOUR_API_KEY_GOES_HERE',
    'two words 3f2504e04f89a1',
  ])('is not %s', text => expect(isHighEntropy(text)).toBe(false));
});

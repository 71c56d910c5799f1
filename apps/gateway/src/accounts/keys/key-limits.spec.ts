import { operations, type Operation } from '@rtms/contracts';
import fc from 'fast-check';
import { covers } from '../../platform/auth/host-name.js';
import { widerThan } from './key-limits.js';

const end = new Date('2026-12-01T00:00:00.000Z');
const later = new Date(end.getTime() + 1);

const disposable = {
  keyKind: 'disposable' as const,
  keyType: 'sandbox' as const,
  operations: ['readRooms', 'manageKeys'] satisfies Operation[],
  domains: ['*.example.com', 'example.org'],
  meetingIDs: ['room_1', 'room_2'],
  maxRole: 'participant' as const,
  expiresAt: end,
};
const narrow = {
  type: 'sandbox' as const,
  operations: ['readRooms'] satisfies Operation[],
  domains: ['a.example.com'],
  meetingIDs: ['room_1'],
  maxRole: 'viewer' as const,
  expiresAt: end,
};

describe('a key that a disposable key creates', () => {
  it('may have the same rights', () => {
    const { keyType: type, ...reach } = disposable;
    expect(widerThan({ type, ...reach }, disposable)).toBeUndefined();
    expect(widerThan(narrow, disposable)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['another type', { type: 'production' }],
    ['more operations', { operations: ['readRooms', 'createRoom'] }],
    ['no domains', { domains: null }],
    ['another domain', { domains: ['a.example.com', 'evil.example'] }],
    ['a wider domain', { domains: ['*.com'] }],
    ['the apex of a wildcard', { domains: ['example.com'] }],
    ['a wildcard below a plain name', { domains: ['*.example.org'] }],
    ['no rooms that bind it', { meetingIDs: null }],
    ['another room', { meetingIDs: ['room_1', 'room_3'] }],
    ['any role', { maxRole: null }],
    ['a higher role', { maxRole: 'cohost' }],
    ['no end', { expiresAt: null }],
    ['a later end', { expiresAt: later }],
  ])('may not have %s', (_, changes) => {
    expect(widerThan({ ...narrow, ...changes }, disposable)).toEqual(expect.any(String));
  });

  it('allows no origin that the other key does not allow', () => {
    const domains = fc.array(
      fc.constantFrom('*.example.com', 'a.example.com', 'example.org', '*.a.example.com', '*.org'),
    );
    const hosts = fc.constantFrom('a.example.com', 'x.a.example.com', 'example.com', 'example.org', 'b.org');
    fc.assert(
      fc.property(domains, domains, hosts, (wanted, held, host) => {
        const isRefused = widerThan({ ...narrow, domains: wanted }, { ...disposable, domains: held }) !== undefined;
        const opens = (list: string[]) => list.some(domain => covers(domain, host));
        return isRefused || !opens(wanted) || opens(held);
      }),
    );
  });
});

describe('a key that a main key or a sub-user’s key creates', () => {
  const main = {
    ...disposable,
    keyKind: 'main' as const,
    operations,
    domains: null,
    meetingIDs: null,
    maxRole: null,
    expiresAt: null,
  };

  it('may have any validity and any of their operations', () => {
    const wide = {
      type: 'sandbox' as const,
      operations,
      domains: null,
      meetingIDs: null,
      maxRole: null,
      expiresAt: null,
    };
    expect(widerThan(wide, main)).toBeUndefined();
    expect(widerThan(wide, { ...main, keyKind: 'subUser', operations: ['readRooms'] })).toContain('createRoom');
  });

  it.each(['main', 'subUser'] as const)('may not be of another type than a %s key', keyKind => {
    const production = { ...narrow, type: 'production' as const };
    expect(widerThan(production, { ...main, keyKind })).toContain('Use a production key');
    expect(widerThan(production, { ...main, keyKind, keyType: 'production' })).toBeUndefined();
    expect(widerThan(narrow, { ...main, keyKind, keyType: 'production' })).toContain('Use a sandbox key');
  });
});

describe('a key that a dashboard user creates', () => {
  const user = {
    ...disposable,
    keyKind: 'dashboard' as const,
    operations,
    domains: null,
    meetingIDs: null,
    maxRole: null,
    expiresAt: null,
  };

  it.each(['sandbox', 'production'] as const)('may be of the type %s', type => {
    expect(widerThan({ ...narrow, type }, user)).toBeUndefined();
  });
});

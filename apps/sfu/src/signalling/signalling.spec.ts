import fc from 'fast-check';
import { decidePatch, parseIfMatch } from './patch-decision.js';
import { parseSignallingPath, signallingPath } from './endpoint.js';

describe('the decision for a PATCH', () => {
  const current = { etag: '"now"', remoteUsernameFragment: 'current' };
  it.each([
    ['the right tag and no ufrag', '"now"', undefined, 'trickle'],
    ['the right tag and the current ufrag', '"now"', 'current', 'trickle'],
    ['one of several tags', '"then", "now"', 'current', 'trickle'],
    ['the right tag and another ufrag', '"now"', 'other', 'precondition_failed'],
    ['a wrong tag', '"then"', 'current', 'precondition_failed'],
    ['a weak tag', 'W/"now"', 'current', 'precondition_failed'],
    ['a tag without quotes', 'now', 'current', 'precondition_failed'],
    ['an empty header and the current ufrag', '', 'current', 'trickle'],
    ['any tag and a new ufrag', '*', 'new', 'restart'],
    ['any tag in quotes and a new ufrag', '"*"', 'new', 'restart'],
    ['any tag and the current ufrag', '*', 'current', 'trickle'],
    ['any tag and no ufrag', '*', undefined, 'trickle'],
    ['no tag and the current ufrag', undefined, 'current', 'trickle'],
    ['no tag and a new ufrag', undefined, 'new', 'precondition_required'],
    ['no tag and no ufrag', undefined, undefined, 'precondition_required'],
  ])('%s', (_case, header, usernameFragment, decision) => {
    const fragment = { candidates: 1, ...(usernameFragment !== undefined && { usernameFragment }) };
    expect(decidePatch(parseIfMatch(header), fragment, current)).toBe(decision);
  });
});

describe('paths', () => {
  it.each([
    ['/whip/ext_1', { protocol: 'whip', resourceID: 'ext_1' }],
    ['/whip/ext_1/', { protocol: 'whip', resourceID: 'ext_1' }],
    ['/whep/play_1/k-Y_9', { protocol: 'whep', resourceID: 'play_1', key: 'k-Y_9' }],
    ['/whep/play_1/k/layer', { protocol: 'whep', resourceID: 'play_1', key: 'k', extension: 'layer' }],
    ['/whep/play_1/k/events', { protocol: 'whep', resourceID: 'play_1', key: 'k', extension: 'events' }],
    ['/whep/play_1/k/events/s', { protocol: 'whep', resourceID: 'play_1', key: 'k', extension: 'events', stream: 's' }],
    ['/whip/ext_1/k/layer', undefined],
    ['/whip', undefined],
    ['/whip/', undefined],
    ['/whip/a/b/c', undefined],
    ['/whip/a%2Fb', undefined],
    ['/hls/bcast_1', undefined],
    [`/whip/${'a'.repeat(200)}`, undefined],
  ])('%s', (path, route) => {
    expect(parseSignallingPath(path)).toEqual(route);
  });

  it('round-trip', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
    fc.assert(
      fc.property(fc.constantFrom('whip' as const, 'whep' as const), id, id, (protocol, resourceID, key) => {
        const route = { protocol, resourceID, key };
        expect(parseSignallingPath(signallingPath(route))).toEqual(route);
      }),
    );
  });
});

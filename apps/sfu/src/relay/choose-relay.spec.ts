import type { NodeLoad } from '@rtms/contracts';
import { rankRelays } from './choose-relay.js';

function node(nodeID: string, load: number, capacity = 100, draining = false): NodeLoad {
  return { nodeID, load, capacity, draining };
}

describe('the candidate relays for a room’s next viewer', () => {
  it.each<[string, NodeLoad[], string[], string[]]>([
    ['none where there is none', [], [], []],
    ['the least used first', [node('a', 50), node('b', 10), node('c', 30)], [], ['b', 'c', 'a']],
    ['the least used first, if it came first', [node('b', 10), node('a', 50)], [], ['b', 'a']],
    ['by share, not by number', [node('a', 20, 400), node('b', 10, 100)], [], ['a', 'b']],
    ['one that has the tracks before all others', [node('a', 90), node('b', 10)], ['a'], ['a', 'b']],
    ['one that has the tracks first, if it came last', [node('b', 10), node('a', 90)], ['a'], ['a', 'b']],
    [
      'of those that have the tracks the least used',
      [node('a', 90), node('b', 60), node('c', 1)],
      ['a', 'b'],
      ['b', 'a', 'c'],
    ],
    ['none that is full', [node('a', 100), node('b', 99), node('c', 98)], ['a'], ['c']],
    ['none that is drained', [node('a', 0, 100, true), node('b', 50)], ['a'], ['b']],
    ['by name where all else is equal', [node('b', 0), node('a', 0)], [], ['a', 'b']],
  ])('are %s', (_case, nodes, pipedTo, expected) => {
    expect(rankRelays(Object.freeze(nodes), id => pipedTo.includes(id)).map(({ nodeID }) => nodeID)).toEqual(expected);
  });
});

import type { Fact } from '@rtms/contracts';
import { isCurrent } from './placement.js';

const placement = { nodeID: 'sfu-1', nodeEpoch: 100, factSequence: 5 };
const makeFact = (changes: Partial<Fact>) => ({ nodeID: 'sfu-1', epoch: 100, sequence: 6, ...changes }) as Fact;

describe('isCurrent', () => {
  it.each([
    { name: 'the next fact', fact: makeFact({}), expected: true },
    { name: 'a fact after a gap', fact: makeFact({ sequence: 60 }), expected: true },
    { name: 'the same fact again', fact: makeFact({ sequence: 5 }), expected: false },
    { name: 'a late fact', fact: makeFact({ sequence: 4 }), expected: false },
    { name: 'a fact of another node', fact: makeFact({ nodeID: 'sfu-2' }), expected: false },
    { name: 'a fact of an earlier start of the node', fact: makeFact({ epoch: 99 }), expected: false },
    { name: 'a fact of a later start of the node', fact: makeFact({ epoch: 101 }), expected: false },
  ])('returns $expected for $name', ({ fact, expected }) => {
    expect(isCurrent(placement, fact)).toBe(expected);
  });

  it('counts the first fact of a resource', () => {
    expect(isCurrent({ ...placement, factSequence: 0 }, makeFact({ sequence: 1 }))).toBe(true);
  });

  it('counts no fact while no node holds the resource', () => {
    expect(isCurrent({ ...placement, nodeEpoch: null }, makeFact({}))).toBe(false);
  });
});

import type { NodeLease } from '@rtms/contracts';
import { holdingOf } from './holding.js';

const lease = { nodeID: 'sfu-1', epoch: 100 } as NodeLease;
const row = { nodeID: 'sfu-1', nodeEpoch: 100, factSequence: 3 };
const holdings = (epoch: number, ...held: string[]) => ({ epoch, held });
const isIn = ({ held }: { epoch: number; held: string[] }) => held.includes('x');

describe('holdingOf', () => {
  it.each([
    { name: 'what the node has', row, view: { lease, holdings: holdings(100, 'x') }, expected: 'held' },
    { name: 'what the node has not', row, view: { lease, holdings: holdings(100, 'y') }, expected: 'missing' },
    { name: 'what a node without an answer had', row, view: { lease, holdings: undefined }, expected: 'unknown' },
    { name: 'what a dead node had', row, view: undefined, expected: 'lost' },
    { name: 'what nobody took over', row: { ...row, nodeEpoch: null }, view: undefined, expected: 'lost' },
    { name: 'what was never placed', row: { ...row, nodeID: null }, view: undefined, expected: 'missing' },
    {
      name: 'what an earlier start of the node had, by its lease',
      row: { ...row, nodeEpoch: 99 },
      view: { lease, holdings: undefined },
      expected: 'lost',
    },
    {
      name: 'what an earlier start of the node had, by its answer',
      row,
      view: { lease, holdings: holdings(101, 'x') },
      expected: 'lost',
    },
  ])('says $expected of $name', ({ row: placement, view, expected }) => {
    expect(holdingOf<ReturnType<typeof holdings>>(placement, view, { isSettled: true, isIn })).toBe(expected);
  });

  it('does not take silence for death before every node had time to be heard', () => {
    expect(holdingOf(row, undefined, { isSettled: false, isIn })).toBe('unknown');
  });
});

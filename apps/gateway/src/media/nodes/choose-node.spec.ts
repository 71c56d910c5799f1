import type { NodeLease } from '@rtms/contracts';
import { chooseNode, NodeSpread, requireNode } from './choose-node.js';

function makeNode(nodeID: string, load: number, capacity: number, draining = false): NodeLease {
  return {
    nodeID,
    role: 'sfu',
    epoch: 1,
    publicUrl: `http://${nodeID}`,
    internalUrl: `http://${nodeID}`,
    load,
    capacity,
    draining,
  };
}

const cases: { name: string; nodes: NodeLease[]; excluded?: string[]; expected: string }[] = [
  { name: 'says that there is none without nodes', nodes: [], expected: 'none' },
  { name: 'takes the only node', nodes: [makeNode('a', 3, 10)], expected: 'a' },
  { name: 'takes the least loaded node', nodes: [makeNode('a', 5, 10), makeNode('b', 2, 10)], expected: 'b' },
  {
    name: 'compares shares of capacity, not counts',
    nodes: [makeNode('small', 5, 10), makeNode('big', 20, 100)],
    expected: 'big',
  },
  {
    name: 'compares shares before the room that is left',
    nodes: [makeNode('big', 20, 100), makeNode('small', 1, 10)],
    expected: 'small',
  },
  {
    name: 'prefers more room left among equal shares',
    nodes: [makeNode('a', 0, 10), makeNode('b', 0, 20)],
    expected: 'b',
  },
  { name: 'breaks ties by name', nodes: [makeNode('b', 1, 10), makeNode('a', 1, 10)], expected: 'a' },
  { name: 'breaks ties alike in any order', nodes: [makeNode('a', 1, 10), makeNode('b', 1, 10)], expected: 'a' },
  {
    name: 'passes over a draining node though it is idle',
    nodes: [makeNode('a', 0, 10, true), makeNode('b', 9, 10)],
    expected: 'b',
  },
  { name: 'says that there is none when all drain', nodes: [makeNode('a', 0, 10, true)], expected: 'none' },
  { name: 'passes over a full node', nodes: [makeNode('a', 10, 10), makeNode('b', 99, 100)], expected: 'b' },
  { name: 'says so when all are full', nodes: [makeNode('a', 10, 10), makeNode('b', 12, 10)], expected: 'full' },
  { name: 'takes a node without capacity as full', nodes: [makeNode('a', 0, 0)], expected: 'full' },
  {
    name: 'says full when the nodes with room drain',
    nodes: [makeNode('a', 10, 10), makeNode('b', 0, 10, true)],
    expected: 'full',
  },
  {
    name: 'leaves out what was excluded',
    nodes: [makeNode('a', 0, 10), makeNode('b', 9, 10)],
    excluded: ['a'],
    expected: 'b',
  },
];

describe('chooseNode', () => {
  it.each(cases)('$name', ({ nodes, excluded, expected }) => {
    const choice = chooseNode(nodes, new Set(excluded));
    expect(choice.kind === 'chosen' ? choice.node.nodeID : choice.kind).toBe(expected);
  });
});

describe('requireNode', () => {
  it('returns the chosen node', () => {
    expect(requireNode([makeNode('a', 5, 10), makeNode('b', 2, 10)], new Set(['b'])).nodeID).toBe('a');
  });

  it.each([
    ['capacity_reached', 'all nodes are full', [makeNode('a', 10, 10)]],
    ['controller_unavailable', 'no node runs', []],
  ])('throws %s if %s', (reason, _, nodes) => {
    expect(() => requireNode(nodes)).toThrow(expect.objectContaining({ reason }));
  });
});

describe('NodeSpread', () => {
  const spreadOver = (nodes: NodeLease[], rooms: number) => {
    const spread = new NodeSpread(() => nodes);
    const chosen = Array.from({ length: rooms }, () => spread.choose()?.nodeID);
    return (nodeID: string | undefined) => chosen.filter(each => each === nodeID).length;
  };

  it('counts its own rooms as load of a node', () => {
    const countOn = spreadOver([makeNode('idle', 0, 1_000), makeNode('busy', 40, 1_000)], 100);
    expect([countOn('idle'), countOn('busy')]).toEqual([70, 30]);
  });

  it('places more rooms than the capacity for viewers, while the lease has free capacity', () => {
    expect(spreadOver([makeNode('only', 0, 10)], 75)('only')).toBe(75);
  });

  it('places no room when all nodes are full by their leases', () => {
    expect(spreadOver([makeNode('full', 10, 10)], 3)(undefined)).toBe(3);
  });
});

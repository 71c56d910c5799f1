import type { NodeLease } from '@rtms/contracts';
import { LeaseTable } from './lease-table.js';

function makeLease(overrides: Partial<NodeLease> = {}): NodeLease {
  return {
    nodeID: 'sfu-1',
    role: 'sfu',
    epoch: 100,
    publicUrl: 'http://sfu-1',
    internalUrl: 'http://sfu-1',
    load: 0,
    capacity: 10,
    draining: false,
    ...overrides,
  };
}

describe('LeaseTable', () => {
  it('reports once that a node appeared', () => {
    const table = new LeaseTable(5000);
    expect(table.announce(makeLease(), 0)?.kind).toBe('appeared');
    expect(table.announce(makeLease({ load: 3 }), 1000)).toBeUndefined();
    expect(table.find('sfu', 'sfu-1')?.load).toBe(3);
  });

  it('keeps nodes with the same name and different roles apart', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease({ nodeID: 'node' }), 0);
    table.announce(makeLease({ nodeID: 'node', role: 'transcoder' }), 0);
    expect(table.list()).toHaveLength(2);
    expect(table.list('transcoder')).toEqual([makeLease({ nodeID: 'node', role: 'transcoder' })]);
  });

  it('reports a node as lost after its lease time', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    expect(table.expire(5000)).toEqual([]);
    expect(table.expire(5001)).toEqual([{ kind: 'lost', node: makeLease() }]);
    expect(table.expire(5002)).toEqual([]);
  });

  it('lists a node as overdue only after that time, and if another one renewed its lease later', () => {
    const table = new LeaseTable(5000);
    const late = makeLease({ nodeID: 'late' });
    table.announce(late, 10_000);
    table.announce(makeLease(), 10_000);
    expect(table.listOverdue(11_501, 1500, 1000)).toEqual([]);
    table.announce(makeLease(), 10_999);
    expect(table.listOverdue(11_501, 1500, 1000)).toEqual([]);
    table.announce(makeLease(), 11_000);
    expect(table.listOverdue(11_500, 1500, 1000)).toEqual([]);
    expect(table.listOverdue(11_501, 1500, 1000)).toEqual([{ node: late, heardAt: 10_000 }]);
  });

  it('reports a restart by the higher epoch', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    expect(table.announce(makeLease({ epoch: 101 }), 10)?.kind).toBe('restarted');
  });

  it('reports that a node drains, and that it takes new work again', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    expect(table.announce(makeLease({ draining: true }), 10)?.kind).toBe('draining');
    expect(table.announce(makeLease({ draining: true }), 20)).toBeUndefined();
    expect(table.announce(makeLease(), 30)?.kind).toBe('willing');
  });

  it('ignores a late lease of an earlier start', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease({ epoch: 101 }), 0);
    expect(table.announce(makeLease({ epoch: 100 }), 10)).toBeUndefined();
    expect(table.find('sfu', 'sfu-1')?.epoch).toBe(101);
  });

  it('reports a node as lost at once when it deletes its lease', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    expect(table.withdraw('sfu.sfu-1')?.kind).toBe('lost');
    expect(table.withdraw('sfu.sfu-1')).toBeUndefined();
  });

  it('gives each node a full lease time after an outage', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    table.renewAll(60_000);
    expect(table.expire(65_000)).toEqual([]);
    expect(table.expire(65_001)).toHaveLength(1);
  });

  it('reports only unheard nodes as lost', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 0);
    table.announce(makeLease({ nodeID: 'sfu-2' }), 4000);
    expect(table.expire(6000)).toEqual([{ kind: 'lost', node: makeLease() }]);
    expect(table.list()).toEqual([makeLease({ nodeID: 'sfu-2' })]);
  });

  it('remembers the last lease of a node that deleted it', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease(), 10);
    table.withdraw('sfu.sfu-1');
    expect(table.find('sfu', 'sfu-1')).toBeUndefined();
    expect(table.heardAt('sfu', 'sfu-1', 100)).toBe(10);
  });

  it('remembers the last lease of a start of a node, also after the loss', () => {
    const table = new LeaseTable(5000);
    table.announce(makeLease({ epoch: 100 }), 10);
    table.announce(makeLease({ epoch: 100 }), 20);
    table.announce(makeLease({ epoch: 101 }), 30);
    expect(table.heardAt('sfu', 'sfu-1', 100)).toBe(20);
    expect(table.heardAt('sfu', 'sfu-1', 101)).toBe(30);
    table.expire(60_000);
    expect(table.heardAt('sfu', 'sfu-1', 101)).toBe(30);
    expect(table.heardAt('sfu', 'sfu-1', 99)).toBeUndefined();
  });

  it('holds at most a thousand nodes, so that one node cannot fill the memory', () => {
    const table = new LeaseTable(5000);
    for (let n = 0; n < 1_010; n += 1) table.announce(makeLease({ nodeID: `sfu-${n}` }), 0);
    expect(table.list()).toHaveLength(1_000);
    expect(table.announce(makeLease({ nodeID: 'sfu-0', load: 1 }), 10)).toBeUndefined();
    expect(table.find('sfu', 'sfu-0')?.load).toBe(1);
  });
});

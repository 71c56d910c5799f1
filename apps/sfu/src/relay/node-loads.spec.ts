import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { nodeLoadSubject, type NodeLoad } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { NodeLoads } from './node-loads.js';

describe('the loads of SFU nodes', () => {
  let clock: ManualClock;
  let others: MemoryBus;
  let loads: NodeLoads;
  let announced: NodeLoad[];

  const loadOf = (nodeID: string, load = 0): NodeLoad => ({ nodeID, load, capacity: 9, draining: false });
  const known = (): string[] => loads.others().map(({ nodeID }) => nodeID);

  async function hearOf(nodeID: string): Promise<void> {
    others.announce(nodeLoadSubject(nodeID), loadOf(nodeID));
    await others.settled();
  }

  beforeEach(async () => {
    clock = new ManualClock();
    const broker = new MemoryBroker(clock);
    others = new MemoryBus(broker);
    announced = [];
    await others.listen<NodeLoad>(nodeLoadSubject('own'), ({ payload }) => announced.push(payload));
    loads = new NodeLoads(new MemoryBus(broker), () => loadOf('own', announced.length), clock);
    await loads.start();
    await others.settled();
  });

  afterEach(async () => {
    await loads.close();
    await loads.close();
    expect(clock.pending).toBe(0);
  });

  it('are announced at the start and each second until the close', async () => {
    expect(announced).toHaveLength(1);
    await clock.advance(999);
    expect(announced).toHaveLength(1);
    await clock.advance(1);
    expect(announced.map(({ load }) => load)).toEqual([0, 1]);
    await loads.close();
    await clock.advance(5_000);
    loads.tell();
    await others.settled();
    expect(announced).toHaveLength(2);
  });

  it('count for five seconds, without the own load', async () => {
    await hearOf('own');
    await hearOf('sfu-2');
    await clock.advance(5_000);
    expect(known()).toEqual(['sfu-2']);
    await clock.advance(1);
    expect(known()).toEqual([]);
  });

  it('of a full node count again after its next announcement', async () => {
    await hearOf('sfu-2');
    loads.noteFull('sfu-2');
    expect(known()).toEqual([]);
    await hearOf('sfu-2');
    expect(known()).toEqual(['sfu-2']);
  });

  it('of an avoided node do not count until the longer of two times is over', async () => {
    loads.avoid('sfu-2', 5_000);
    loads.avoid('sfu-2', 1_000);
    await clock.advance(4_999);
    await hearOf('sfu-2');
    expect(known()).toEqual([]);
    await clock.advance(1);
    expect(known()).toEqual(['sfu-2']);
  });
});

import { ManualClock } from '@rtms/testing';
import { NodeMeter, readUdpCounters, type SentDatagrams } from './node-meter.js';

describe('the meter of a node', () => {
  let clock: ManualClock;
  let datagrams: SentDatagrams | undefined;
  let meter: NodeMeter;

  beforeEach(() => {
    clock = new ManualClock();
    datagrams = { sent: 0, refused: 0 };
    meter = new NodeMeter(clock, () => datagrams && { ...datagrams });
  });
  afterEach(() => meter.close());

  it('tells the share of packets that the system refused in the last ten seconds', async () => {
    await clock.advance(2_000);
    datagrams = { sent: 900, refused: 100 };
    await clock.advance(1_000);
    expect(meter.current()).toEqual({ lagMs: 0, refusedShare: 0.1 });
    await clock.advance(10_000);
    expect(meter.current().refusedShare).toBe(0);
  });

  it('knows nothing where the system does not tell', async () => {
    datagrams = undefined;
    await clock.advance(5_000);
    expect(meter.current().refusedShare).toBeNull();
  });

  it('reads the counters of Linux', () => {
    const lines = ['Udp: InDatagrams OutDatagrams SndbufErrors', 'Udp: 5 70 3', 'UdpLite: InDatagrams', 'UdpLite: 0'];
    expect(readUdpCounters(lines.join('\n'))).toEqual({ sent: 70, refused: 3 });
    expect(readUdpCounters('Udp: InDatagrams\nUdp: 5')).toBeUndefined();
    expect(readUdpCounters('')).toBeUndefined();
  });
});

import { MemoryBroker, MemoryBus } from '@rtms/bus';
import type { FactBody, RestreamProblem } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { DrainState } from '@rtms/node';
import { ManualClock } from '@rtms/testing';
import { VirtualSource } from '../../../test/virtual-source.js';
import { restreamRequest } from '../../../test/restream-bench.js';
import { SendFailure, type Delivery, type Sender, type SendListener } from '../../sending/sender.js';
import { RestreamsService } from './restreams.service.js';

/** A target that takes or refuses what a test says. */
class FakeSender implements Sender {
  readonly deliveries: {
    listener: SendListener;
    isOpen: boolean;
    bytes: number;
    lose(problem: RestreamProblem): void;
  }[] = [];
  attempts = 0;
  refusesWith: RestreamProblem | undefined;

  speaks(): boolean {
    return true;
  }

  carries(): boolean {
    return true;
  }

  async send(_plan: unknown, listener: SendListener): Promise<Delivery> {
    this.attempts += 1;
    if (this.refusesWith) throw new SendFailure(this.refusesWith, 'refused');
    const exit = { code: 1, signal: null, lastLines: [] };
    const delivery = {
      ...{ listener, isOpen: true, bytes: 0 },
      lose: (problem: RestreamProblem) => listener.onExit({ ...exit, expected: false }, problem),
    };
    this.deliveries.push(delivery);
    const close = () => {
      delivery.isOpen = false;
      return Promise.resolve();
    };
    const write = (data: Buffer) => {
      delivery.bytes += data.length;
      return true;
    };
    return { pid: undefined, write, finish: close, close };
  }
}

async function openStage() {
  const clock = new ManualClock();
  const bus = new MemoryBus(new MemoryBroker());
  const source = new VirtualSource(clock);
  const sender = new FakeSender();
  const facts: FactBody[] = [];
  const reports = { report: (_: string, body: FactBody) => facts.push(body), forget: () => undefined };
  const logger = createLogger({ service: 'transcoder', level: 'silent' });
  const feeds = { openFeed: source.open, openBroadcast: source.open };
  const restreams = new RestreamsService({ bus, sender, reports, drain: new DrainState(), ...feeds, clock, logger }, 2);
  const target = { protocol: 'rtmp', url: 'rtmp://live.example.com/app', streamKey: 'key' } as const;
  await restreams.start(restreamRequest('rs_1', target));
  return { clock, source, sender, facts, restreams };
}

describe('a restream in virtual time', () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  const types = () => stage.facts.map(({ type }) => type);
  const state = () => stage.restreams.inventory()[0]?.state;
  beforeEach(async () => {
    stage = await openStage();
    await stage.source.send(2);
  });
  afterEach(async () => {
    await stage.restreams.close();
    expect(stage.clock.pending).toBe(0);
    expect(stage.sender.deliveries.every(({ isOpen }) => !isOpen)).toBe(true);
  });

  it('is active once the target takes media', () => {
    expect([state(), stage.sender.attempts]).toEqual(['connecting', 1]);
    stage.sender.deliveries[0]!.listener.onAccepted();
    expect([state(), types()]).toEqual(['active', ['restream.active']]);
    expect(stage.sender.deliveries[0]!.bytes).toBeGreaterThan(2_000);
  });

  it('fails after a bounded number of refusals, with longer pauses between them', async () => {
    stage.sender.refusesWith = 'target_refused';
    stage.sender.deliveries[0]!.lose('target_refused');
    const times: number[] = [];
    for (let before = stage.sender.attempts; types().at(-1) !== 'restream.failed'; before = stage.sender.attempts) {
      await stage.source.send(1);
      if (stage.sender.attempts > before) times.push(stage.clock.now());
      if (stage.clock.now() > 300_000 + times[0]!) throw new Error('it never fails');
    }
    expect(stage.facts.at(-1)).toEqual({
      type: 'restream.failed',
      reason: 'target_refused',
      problem: 'target_refused',
    });
    expect(stage.facts.filter(({ type }) => type === 'restream.retrying')).toHaveLength(7);
    expect(stage.sender.attempts).toBe(8);
    const pauses = times.slice(1).map((time, i) => time - times[i]!);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    await stage.clock.advance(0);
    expect(stage.restreams.load).toBe(0);
  });

  it('counts attempts anew after ten seconds of media', async () => {
    const [first] = stage.sender.deliveries;
    first!.lose('target_closed');
    await stage.source.send(21);
    stage.sender.deliveries[1]!.listener.onAccepted();
    await stage.source.send(101);
    stage.sender.deliveries[1]!.lose('target_closed');
    expect(stage.facts.at(-1)).toEqual({ type: 'restream.retrying', problem: 'target_closed', retries: 1 });
  });

  it('counts on while the target closes each connection within seconds', async () => {
    stage.sender.deliveries[0]!.listener.onAccepted();
    stage.sender.deliveries[0]!.lose('target_closed');
    await stage.source.send(21);
    stage.sender.deliveries[1]!.listener.onAccepted();
    await stage.source.send(20);
    stage.sender.deliveries[1]!.lose('target_closed');
    expect(stage.facts.at(-1)).toMatchObject({ retries: 2 });
  });

  it('waits for a silent source, and returns with its next keyframe', async () => {
    stage.sender.deliveries[0]!.listener.onAccepted();
    await stage.clock.advance(7_000);
    expect(stage.facts.at(-1)).toMatchObject({ type: 'restream.retrying', problem: 'source_lost' });
    expect([state(), stage.sender.deliveries[0]!.isOpen]).toEqual(['interrupted', false]);
    await stage.source.send(11);
    expect(stage.sender.attempts).toBe(2);
    stage.sender.deliveries[1]!.listener.onAccepted();
    expect(state()).toBe('active');
  });

  it('closes the connection while the gateway interrupts it, and ignores late events of it', async () => {
    const [first] = stage.sender.deliveries;
    await stage.restreams.interrupt({ restreamID: 'rs_1' });
    first!.listener.onAccepted();
    first!.lose('target_closed');
    expect([state(), first!.isOpen, types()]).toEqual(['interrupted', false, []]);
    await stage.restreams.resume({ restreamID: 'rs_1', sfuNodeID: 'sfu-2' });
    await stage.source.send(11);
    expect(stage.sender.attempts).toBe(2);
  });

  it('resumes only an interrupted job on request of the reconciler', async () => {
    await stage.restreams.resume({ restreamID: 'rs_1', sfuNodeID: 'sfu-1', onlyIf: 'interrupted' });
    expect([stage.source.feeds.length, stage.sender.deliveries[0]!.isOpen]).toEqual([1, true]);
  });

  it('follows a source to another SFU node, although it missed the interruption', async () => {
    const source = { sfuNodeID: 'sfu-1', onlyIf: 'interrupted' as const, orElsewhere: true };
    await stage.restreams.resume({ restreamID: 'rs_1', ...source });
    expect(stage.source.feeds).toHaveLength(1);
    await stage.restreams.resume({ restreamID: 'rs_1', ...source, sfuNodeID: 'sfu-2' });
    expect([stage.source.feeds.length, stage.sender.deliveries[0]!.isOpen]).toEqual([2, false]);
    await stage.source.send(11);
    expect(stage.sender.attempts).toBe(2);
  });

  it('starts once for repeated commands, and reports an active restream again', async () => {
    stage.sender.deliveries[0]!.listener.onAccepted();
    await stage.restreams.start(restreamRequest('rs_1', { protocol: 'rtmp', url: 'rtmp://live.example.com/app' }));
    expect(types()).toEqual(['restream.active', 'restream.active']);
    expect(stage.source.feeds).toHaveLength(1);
  });

  it('is refused above the capacity of the node', async () => {
    const target = { protocol: 'rtmp', url: 'rtmp://live.example.com/app' } as const;
    await stage.restreams.start(restreamRequest('rs_2', target));
    expect(() => stage.restreams.start(restreamRequest('rs_3', target))).toThrow(/busy/);
    await Promise.all([stage.restreams.stop({ restreamID: 'rs_2' }), stage.restreams.stop({ restreamID: 'rs_2' })]);
    expect(stage.restreams.load).toBe(1);
  });
});

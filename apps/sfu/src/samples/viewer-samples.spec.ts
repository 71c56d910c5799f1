import { faultOf, unpackSamples, type NodeMeasurement, type ViewerSample } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { MeasuredViewer } from '../media/media-engine.js';
import type { SourceArrival } from '../rooms/session.js';
import { ViewerSamples, type WatchedPlayback } from './viewer-samples.js';

const start = Date.UTC(2026, 10, 26, 10, 0, 0);

/** A viewer whose totals a test changes between two samples. */
class FakeViewer {
  wasConnected = true;
  readonly totals: MeasuredViewer = {
    ...{ trackID: 'trk_v', packets: 0, lost: 0, retransmitted: 0, bytes: 0, keyframeRequests: 0, roundTripMs: 30 },
    ...{ layer: 1, heardBytes: 0, workerUsage: 0.2, network: '192.0.2.1' },
  };
  /** Each answer of a relay has a measurement of its node. */
  measure = (): Promise<MeasuredViewer | undefined> => {
    const { relay } = this.totals;
    return Promise.resolve({ ...this.totals, relay: relay && { ...relay, node: { ...relay.node } } });
  };
  readonly peer = { transport: { measure: () => this.measure() } };

  constructor(readonly viewerID: string) {}

  /** Ten seconds of good media. */
  receives(): void {
    this.totals.packets += 3_000;
    this.totals.bytes += 1_250_000;
    this.totals.heardBytes += 500;
  }
}

class FakePlayback implements WatchedPlayback {
  readonly kinds = ['audio', 'video'] as const;
  readonly viewers: FakeViewer[] = [];
  arrived: SourceArrival | undefined = {
    ...{ trackID: 'trk_v', packets: 0, lost: 0, repaired: 0, roundTripMs: 50, stalledMs: 0, heardAt: start },
    isPaused: false,
  };
  readonly source;

  constructor(
    readonly playbackID: string,
    readonly accountID = 'acct_1',
  ) {
    const arrival = () => Promise.resolve(this.arrived && { ...this.arrived });
    this.source = { sessionID: `ext_of_${playbackID}`, arrival };
  }

  add(viewerID: string): FakeViewer {
    const viewer = new FakeViewer(viewerID);
    this.viewers.push(viewer);
    return viewer;
  }

  listViewers(): FakeViewer[] {
    return this.viewers;
  }
}

describe('the samples of viewers', () => {
  let clock: ManualClock;
  let playbacks: FakePlayback[];
  let own: FakePlayback;
  let measured: NodeMeasurement;
  let samples: ViewerSamples;

  beforeEach(() => {
    clock = new ManualClock(start);
    own = new FakePlayback('play_1');
    playbacks = [own];
    measured = { lagMs: 0, refusedShare: 0 };
    const logger = createLogger({ service: 'test', level: 'silent' });
    samples = new ViewerSamples({ playbacks: () => playbacks }, { current: () => measured }, clock, logger);
  });
  afterEach(() => samples.close());

  /** Ten seconds in which the media arrives everywhere, except for what `change` does. */
  const pass = async (change: () => void = () => undefined): Promise<void> => {
    for (const { arrived, viewers } of playbacks) {
      if (arrived) Object.assign(arrived, { packets: arrived.packets + 3_000, heardAt: clock.now() + 10_000 });
      for (const viewer of viewers) viewer.receives();
    }
    change();
    await clock.advance(10_000);
  };
  const of = (playbackID: string, viewerID: string): ViewerSample[] =>
    samples
      .read({ playbackID, viewers: 10_000 })
      .minutes.filter(each => each.viewerID === viewerID)
      .flatMap(each => unpackSamples(each));
  const lastFault = (viewerID: string) => {
    const last = of('play_1', viewerID).at(-1);
    return last && [faultOf(last), last.cause];
  };

  it('are taken every ten seconds, from the second measurement on', async () => {
    own.add('vwr_1');
    await pass();
    expect(of('play_1', 'vwr_1')).toEqual([]);
    await pass();
    expect(of('play_1', 'vwr_1')).toEqual([
      {
        ...{ at: start + 20_000, roundTripMs: 30, fractionLost: 0, retransmitted: 0, bitrate: 1_000_000, layer: 1 },
        ...{ frozenMs: 0, delayMs: 40, cause: 'none', value: 0 },
      },
    ]);
  });

  it('tell loss, retransmission and frozen time of a viewer with a poor network, and not of the others', async () => {
    const [poor] = [own.add('vwr_1'), own.add('vwr_2')];
    await pass();
    await pass(() => Object.assign(poor.totals, { lost: 300, retransmitted: 150, keyframeRequests: 5 }));
    expect(of('play_1', 'vwr_1')[0]).toMatchObject({
      ...{ fractionLost: 0.1, retransmitted: 0.05, frozenMs: 1_000, cause: 'viewer_loss', value: 10 },
    });
    expect(lastFault('vwr_2')).toEqual(['none', 'none']);
  });

  it('blame the publisher that sends nothing while it is heard, and the uplink when it is not', async () => {
    own.add('vwr_1');
    await pass();
    await pass(() => Object.assign(own.arrived!, { stalledMs: 4_000 }));
    expect(lastFault('vwr_1')).toEqual(['publisher', 'publisher_stalled']);
    await pass(() => Object.assign(own.arrived!, { stalledMs: 13_000, heardAt: clock.now() + 1_000 }));
    expect(lastFault('vwr_1')).toEqual(['uplink', 'uplink_cut']);
    await pass(() => (own.arrived = undefined));
    expect(lastFault('vwr_1')).toEqual(['publisher', 'publisher_absent']);
  });

  it('blame nobody while the publisher’s track is paused', async () => {
    const viewer = own.add('vwr_1');
    await pass();
    await pass(() => {
      Object.assign(own.arrived!, { isPaused: true, stalledMs: 9_000 });
      viewer.totals.packets -= 3_000;
    });
    expect(lastFault('vwr_1')).toEqual(['none', 'none']);
  });

  it('blame the uplink for loss that also shows at the viewers', async () => {
    const viewer = own.add('vwr_1');
    await pass();
    await pass(() => {
      Object.assign(own.arrived!, { repaired: 240, lost: 60 });
      Object.assign(viewer.totals, { lost: 200, keyframeRequests: 4 });
    });
    expect(lastFault('vwr_1')).toEqual(['uplink', 'uplink_loss']);
  });

  it('blame the hop for loss on the way to a relay', async () => {
    const viewer = own.add('vwr_1');
    const arrival = { packets: 0, lost: 0, repaired: 0, roundTripMs: 1 };
    viewer.totals.relay = { nodeID: 'sfu-2', node: { lagMs: 0, refusedShare: 0 }, arrival };
    await pass();
    const later = { ...arrival, packets: 2_700, lost: 300 };
    await pass(() => {
      viewer.totals.relay = { ...viewer.totals.relay!, arrival: later };
      viewer.totals.lost = 310;
    });
    expect(lastFault('vwr_1')).toEqual(['relay', 'relay_loss']);
    await pass(() => (viewer.totals.packets -= 3_000));
    expect(lastFault('vwr_1')).toEqual(['relay', 'relay_cut']);
  });

  it('blame the node whose system refuses to send, and for trouble in most networks', async () => {
    const viewers = [1, 2, 3, 4].map(number => own.add(`vwr_${number}`));
    viewers.forEach(({ totals }, index) => (totals.network = `192.0.2.${index}`));
    const lose = (): void => viewers.forEach(({ totals }) => (totals.lost += 300));
    await pass();
    await pass(() => {
      measured = { lagMs: 0, refusedShare: 0.1 };
      lose();
    });
    expect(lastFault('vwr_1')).toEqual(['node', 'node_sending']);
    await pass(() => {
      measured = { lagMs: 0, refusedShare: 0 };
      lose();
    });
    expect(lastFault('vwr_4')).toEqual(['node', 'node_network']);
  });

  it('do not blame the node for viewers whose publisher sends nothing', async () => {
    for (let number = 1; number <= 10; number++) own.add(`vwr_${number}`).totals.network = `192.0.2.${number}`;
    const other = new FakePlayback('play_2');
    const poor = other.add('vwr_poor');
    poor.totals.network = '192.0.2.11';
    playbacks.push(other);
    await pass();
    await pass(() => {
      Object.assign(own.arrived!, { stalledMs: 4_000 });
      poor.totals.lost = 300;
    });
    expect(lastFault('vwr_1')).toEqual(['publisher', 'publisher_stalled']);
    expect(of('play_2', 'vwr_poor').at(-1)).toMatchObject({ cause: 'viewer_loss', value: 10 });
  });

  it('do not blame the node for viewers that see the little loss of their uplink', async () => {
    for (let number = 1; number <= 5; number++) own.add(`vwr_${number}`).totals.network = `192.0.2.${number}`;
    await pass();
    await pass(() => {
      Object.assign(own.arrived!, { lost: 45 });
      for (const { totals } of own.viewers) Object.assign(totals, { lost: 45, keyframeRequests: 3 });
    });
    expect(lastFault('vwr_1')).toEqual(['uplink', 'uplink_loss']);
  });

  it('wait for the next answer of a relay, if one answer serves two readings', async () => {
    const viewer = own.add('vwr_1');
    const arrival = { packets: 3_000, lost: 0, repaired: 0, roundTripMs: 1 };
    viewer.totals.relay = { nodeID: 'sfu-2', node: { lagMs: 0, refusedShare: 0 }, arrival };
    const measureAnew = viewer.measure;
    let answer: ReturnType<typeof measureAnew> | undefined;
    viewer.measure = () => (answer ??= measureAnew());
    for (const _ of [1, 2]) await pass();
    expect(of('play_1', 'vwr_1')).toEqual([]);
    viewer.measure = measureAnew;
    await pass(() => (viewer.totals.relay = { ...viewer.totals.relay!, arrival: { ...arrival, packets: 9_000 } }));
    expect(of('play_1', 'vwr_1')).toEqual([
      expect.objectContaining({ at: start + 30_000, cause: 'none', bitrate: 1_000_000 }),
    ]);
  });

  it('takes a viewer that sends nothing for cut off', async () => {
    const viewer = own.add('vwr_1');
    await pass();
    await pass(() => (viewer.totals.heardBytes -= 500));
    expect(of('play_1', 'vwr_1').at(-1)).toMatchObject({ cause: 'viewer_silent', frozenMs: 10_000 });
  });

  it('begin anew when the viewer receives another track', async () => {
    const viewer = own.add('vwr_1');
    await pass();
    await pass(() => Object.assign(viewer.totals, { trackID: 'trk_w', packets: 5 }));
    expect(of('play_1', 'vwr_1')).toEqual([]);
  });

  it('go on when a viewer cannot be measured or has never been connected', async () => {
    own.add('vwr_1').measure = () => Promise.reject(new Error('no worker'));
    own.add('vwr_2').measure = () => Promise.resolve(undefined);
    own.add('vwr_3').wasConnected = false;
    own.add('vwr_4');
    for (const _ of [1, 2]) await pass();
    const viewers = samples.read({ playbackID: 'play_1', viewers: 10 }).minutes.map(({ viewerID }) => viewerID);
    expect(viewers).toEqual(['vwr_4']);
  });

  it('leave room for other accounts when one has very many viewers', async () => {
    for (let number = 0; number < 1_010; number++) own.add(`vwr_${number}`);
    const other = new FakePlayback('play_2', 'acct_2');
    other.add('vwr_other');
    playbacks.push(other);
    for (const _ of [1, 2]) await pass();
    expect(samples.read({ playbackID: 'play_1', viewers: 10_000 }).minutes).toHaveLength(1_000);
    expect(of('play_2', 'vwr_other')).toHaveLength(1);
  });

  it('are given to the gateway by complete minutes and pages, each once', async () => {
    for (let number = 0; number < 600; number++) own.add(`vwr_${number}`);
    for (let turn = 0; turn < 20; turn++) await pass();
    const first = samples.read({});
    const second = samples.read({ after: first.next ?? '' });
    expect([first.isLast, second.isLast]).toEqual([false, true]);
    const places = [...first.minutes, ...second.minutes].map(({ viewerID, minute }) => `${minute} ${viewerID}`);
    expect([places.length, new Set(places).size]).toEqual([1_800, 1_800]);
    expect(samples.read({ after: second.next ?? '' })).toMatchObject({ minutes: [], isLast: true });
  });

  it('are given by viewer, behind a viewer', async () => {
    for (const viewerID of ['vwr_c', 'vwr_a', 'vwr_b']) own.add(viewerID);
    for (const _ of [1, 2]) await pass();
    const ids = (afterViewer: string, viewers: number) =>
      samples.read({ playbackID: 'play_1', afterViewer, viewers }).minutes.map(({ viewerID }) => viewerID);
    expect(ids('', 2).sort()).toEqual(['vwr_a', 'vwr_b']);
    expect(ids('vwr_b', 2)).toEqual(['vwr_c']);
  });

  it('are kept for five minutes', async () => {
    own.add('vwr_1');
    for (let turn = 0; turn < 60; turn++) await pass();
    const { minutes } = samples.read({ playbackID: 'play_1', viewers: 1 });
    expect(minutes.map(({ minute }) => (minute - start) / 60_000)).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it('count the verdicts and the frozen time', async () => {
    const viewer = own.add('vwr_1');
    await pass();
    await pass();
    await pass(() => Object.assign(viewer.totals, { lost: 300, keyframeRequests: 5 }));
    expect(samples.verdicts).toMatchObject({ none: 1, viewer_network: 1, publisher: 0 });
    expect(samples.frozenMs).toBe(1_000);
  });
});

import { faultOf, viewerCauses, type ViewerCause } from '@rtms/contracts';
import fc from 'fast-check';
import {
  isTroubled,
  judge,
  type Legs,
  type NodeLeg,
  type RelayLeg,
  type SourceLeg,
  type ViewerLeg,
} from './verdict.js';

interface Parts {
  source?: Partial<SourceLeg>;
  node?: Partial<NodeLeg>;
  relay?: Partial<RelayLeg>;
  viewer?: Partial<ViewerLeg>;
}

const networks = (measured: number, troubled = measured, unexplained = troubled): NodeLeg['networks'] => ({
  ...{ measured, troubled, unexplained },
});
const legs = ({ source, node, relay, viewer }: Parts): Legs => ({
  intervalMs: 10_000,
  source: { isPresent: true, stalledMs: 0, unheardMs: 100, lossShare: 0, ...source },
  node: { workerUsage: 0.3, lagMs: 5, refusedShare: 0, networks: networks(1), ...node },
  relay: relay && { lossShare: 0, stalledMs: 0, ...relay },
  viewer: { lossShare: 0, retransmittedShare: 0, roundTripMs: 40, frozenMs: 0, isSilent: false, ...viewer },
});
const frozen = { frozenMs: 4_000 };
const lossy = { lossShare: 0.1, frozenMs: 1_000 };

describe('the verdict on a viewer', () => {
  it.each<[string, Parts, ViewerCause]>([
    ['all is well', {}, 'none'],
    ['only the publisher’s packets were lost, and repaired in time', { source: { lossShare: 0.1 } }, 'none'],
    ['nobody publishes', { source: { isPresent: false, stalledMs: 10_000 }, viewer: frozen }, 'publisher_absent'],
    ['the encoder stops', { source: { stalledMs: 4_000 }, viewer: frozen }, 'publisher_stalled'],
    [
      'the encoder stops at a lossy viewer',
      { source: { stalledMs: 4_000 }, viewer: { ...lossy, ...frozen } },
      'publisher_stalled',
    ],
    [
      'nothing comes from the publisher',
      { source: { stalledMs: 8_000, unheardMs: 8_000 }, viewer: { frozenMs: 8_000 } },
      'uplink_cut',
    ],
    [
      'the uplink was cut and mended',
      { source: { stalledMs: 3_000, lossShare: 0.3 }, viewer: { frozenMs: 3_000 } },
      'uplink_loss',
    ],
    ['the uplink loses packets', { source: { lossShare: 0.1 }, viewer: lossy }, 'uplink_loss'],
    ['the uplink loses few packets', { source: { lossShare: 0.015 }, viewer: { frozenMs: 600 } }, 'uplink_loss'],
    ['the worker is full', { node: { workerUsage: 0.99 }, viewer: lossy }, 'node_cpu'],
    ['the node hangs', { node: { lagMs: 3_000 }, viewer: frozen }, 'node_lag'],
    ['the node’s interface is full', { node: { refusedShare: 0.2 }, viewer: lossy }, 'node_sending'],
    ['most networks lose', { node: { networks: networks(8, 7) }, viewer: lossy }, 'node_network'],
    [
      'most networks are silent',
      { node: { networks: networks(4) }, viewer: { isSilent: true, frozenMs: 10_000 } },
      'node_network',
    ],
    [
      'a busy node has one poor viewer',
      { node: { workerUsage: 0.99, networks: networks(8, 1) }, viewer: lossy },
      'viewer_loss',
    ],
    [
      'most networks have trouble that their publishers explain',
      { node: { networks: networks(8, 7, 2) }, viewer: lossy },
      'viewer_loss',
    ],
    ['the hop loses packets', { relay: { lossShare: 0.1 }, viewer: lossy }, 'relay_loss'],
    [
      'the hop shows the loss of the uplink',
      { source: { lossShare: 0.1 }, relay: { lossShare: 0.1 }, viewer: lossy },
      'uplink_loss',
    ],
    ['the hop is cut', { relay: { stalledMs: 10_000 }, viewer: { frozenMs: 10_000 } }, 'relay_cut'],
    ['the viewer loses packets', { viewer: lossy }, 'viewer_loss'],
    [
      'the viewer loses more than the uplink',
      { source: { lossShare: 0.03 }, viewer: { lossShare: 0.2 } },
      'viewer_loss',
    ],
    ['the viewer is far away', { viewer: { roundTripMs: 900 } }, 'viewer_delay'],
    ['the viewer is silent', { viewer: { isSilent: true, frozenMs: 10_000 } }, 'viewer_silent'],
    ['the viewer asks for keyframes without loss', { viewer: { frozenMs: 2_000 } }, 'viewer_frozen'],
  ])('%s', (_, parts, cause) => {
    expect(judge(legs(parts)).cause).toBe(cause);
  });

  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const time = fc.integer({ min: 0, max: 10_000 });
  const anyLegs: fc.Arbitrary<Legs> = fc.record({
    intervalMs: fc.constant(10_000),
    source: fc.record({ isPresent: fc.boolean(), stalledMs: time, unheardMs: time, lossShare: share }),
    node: fc.record({
      ...{ workerUsage: share, lagMs: time, refusedShare: share },
      networks: fc
        .tuple(fc.nat(20), fc.nat(20), fc.nat(20))
        .map(each => networks(...each.sort((one, other) => other - one))),
    }),
    relay: fc.option(fc.record({ lossShare: share, stalledMs: time }), { nil: undefined }),
    viewer: fc.record({
      ...{ lossShare: share, retransmittedShare: share, frozenMs: time, isSilent: fc.boolean() },
      roundTripMs: fc.option(time),
    }),
  });

  it('blames somebody exactly when the viewer has trouble, with a finite measurement', () => {
    fc.assert(
      fc.property(anyLegs, each => {
        const verdict = judge(each);
        expect(verdict.cause !== 'none').toBe(isTroubled(each.viewer));
        expect(Number.isFinite(verdict.value)).toBe(true);
        expect(viewerCauses[verdict.cause].reason(verdict.value)).toMatch(/^[^{}]+\.$/);
      }),
    );
  });

  it('blames no relay where there is none', () => {
    fc.assert(fc.property(anyLegs, each => expect(faultOf(judge({ ...each, relay: undefined }))).not.toBe('relay')));
  });

  it('blames the viewer’s network alone when all before it is in order', () => {
    fc.assert(
      fc.property(anyLegs, ({ viewer }) => {
        const fault = faultOf(judge(legs({ viewer, relay: {} })));
        expect(['none', 'viewer_network']).toContain(fault);
      }),
    );
  });

  it('never blames the viewer’s network for less loss than came before it', () => {
    fc.assert(
      fc.property(anyLegs, fc.double({ min: 0.02, max: 1, noNaN: true }), (each, lossShare) => {
        const calm = { ...each.viewer, isSilent: false, roundTripMs: 20, retransmittedShare: 0, lossShare };
        const verdict = judge({ ...legs({}), source: { ...legs({}).source, lossShare }, viewer: calm });
        expect(faultOf(verdict)).toBe('uplink');
      }),
    );
  });
});

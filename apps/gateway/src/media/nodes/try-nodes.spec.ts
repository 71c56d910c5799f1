import { DeadlineError, NoResponderError, RemoteError } from '@rtms/bus';
import type { NodeLease } from '@rtms/contracts';
import { requireNode } from './choose-node.js';
import type { NodeRegistry } from './node-registry.js';
import { requireTranscoder, tryNodes } from './try-nodes.js';

const nodes = ['a', 'b', 'c'].map(
  nodeID => ({ nodeID, load: 0, capacity: 1, draining: false, epoch: 1, role: 'transcoder' }) as NodeLease,
);
const choose = (excluded: ReadonlySet<string>) => requireNode(nodes, excluded);
const full = new RemoteError({ reason: 'capacity_reached', message: 'full' });

/** Fails attempts as the table says. Returns the tried nodes. */
async function attempt(failures: Record<string, Error>): Promise<{ tried: string[]; outcome: unknown }> {
  const tried: string[] = [];
  const outcome = await tryNodes(choose, node => {
    tried.push(node.nodeID);
    const failure = failures[node.nodeID];
    return failure ? Promise.reject(failure) : Promise.resolve(`done by ${node.nodeID}`);
  }).catch((error: unknown) => error);
  return { tried, outcome };
}

describe('tryNodes', () => {
  it('uses the first node that takes the work', async () => {
    expect(await attempt({})).toEqual({ tried: ['a'], outcome: 'done by a' });
  });

  it.each([
    ['died', new NoResponderError('a')],
    ['filled up', full],
    ['began to drain', new RemoteError({ reason: 'controller_unavailable', message: 'draining' })],
  ])('skips a node that just %s', async (_what, failure) => {
    expect(await attempt({ a: failure, b: failure })).toEqual({ tried: ['a', 'b', 'c'], outcome: 'done by c' });
  });

  it('fails with the error of the last node when no node takes the work', async () => {
    const failures = { a: new NoResponderError('a'), b: new NoResponderError('b'), c: full };
    expect(await attempt(failures)).toEqual({ tried: ['a', 'b', 'c'], outcome: full });
  });

  it('does not try a second node when the first may have begun', async () => {
    const failure = new DeadlineError('a');
    expect(await attempt({ a: failure })).toEqual({ tried: ['a'], outcome: failure });
  });

  it('does not try a second node after a final refusal', async () => {
    const failure = new RemoteError({ reason: 'source_codec_unsupported', message: 'no' });
    expect(await attempt({ a: failure })).toEqual({ tried: ['a'], outcome: failure });
  });
});

describe('requireTranscoder', () => {
  it('names the missing node when only one node has the files', () => {
    const [a, b] = nodes.map(node => ({ ...node, composes: ['files' as const] }));
    const registry = { list: () => [a, { ...b, draining: true }] } as unknown as NodeRegistry;
    const check = (nodeID: string) => () => requireTranscoder(registry, 'files', nodeID);
    expect(check('a')).not.toThrow();
    for (const nodeID of ['b', 'gone']) expect(check(nodeID)).toThrow('The node with the files does not answer');
  });
});

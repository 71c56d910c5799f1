import type { NodeLease, RecordingJobState } from '@rtms/contracts';
import { confirmMissing, decideRecordingStep, holdingOf, type RecordingStep, type SourceStanding } from './holding.js';

const lease = { nodeID: 'sfu-1', epoch: 100 } as NodeLease;
const row = { nodeID: 'sfu-1', nodeEpoch: 100, factSequence: 3 };
const holdings = (epoch: number, ...held: string[]) => ({ epoch, held });
const isIn = ({ held }: { epoch: number; held: string[] }) => held.includes('x');

describe('holdingOf', () => {
  it.each([
    { name: 'a resource in the inventory', row, view: { lease, holdings: holdings(100, 'x') }, expected: 'held' },
    {
      name: 'a resource not in the inventory',
      row,
      view: { lease, holdings: holdings(100, 'y') },
      expected: 'missing',
    },
    {
      name: 'a resource of a node that did not answer',
      row,
      view: { lease, holdings: undefined },
      expected: 'unknown',
    },
    { name: 'a resource of a dead node', row, view: undefined, expected: 'lost' },
    { name: 'a resource without a node', row: { ...row, nodeEpoch: null }, view: undefined, expected: 'lost' },
    { name: 'a new resource', row: { ...row, nodeID: null }, view: undefined, expected: 'missing' },
    {
      name: 'a resource of an earlier start, by the lease',
      row: { ...row, nodeEpoch: 99 },
      view: { lease, holdings: undefined },
      expected: 'lost',
    },
    {
      name: 'a resource of an earlier start, by the inventory',
      row,
      view: { lease, holdings: holdings(101, 'x') },
      expected: 'lost',
    },
  ])('returns $expected for $name', ({ row: placement, view, expected }) => {
    expect(holdingOf<ReturnType<typeof holdings>>(placement, view, { isSettled: true, isIn })).toBe(expected);
  });

  it('returns unknown for an unheard node before every node had time to announce itself', () => {
    expect(holdingOf(row, undefined, { isSettled: false, isIn })).toBe('unknown');
    expect(holdingOf({ ...row, nodeEpoch: null }, undefined, { isSettled: false, isIn })).toBe('lost');
  });
});

describe('confirmMissing', () => {
  it('confirms a resource after it was missing for as long as a command takes', () => {
    const first = confirmMissing(['a'], new Map(), { now: 1000, patienceMs: 5000 });
    expect([...first.confirmed]).toEqual([]);
    const second = confirmMissing(['a'], first.since, { now: 5999, patienceMs: 5000 });
    expect([...second.confirmed]).toEqual([]);
    const third = confirmMissing(['a'], second.since, { now: 6000, patienceMs: 5000 });
    expect([...third.confirmed]).toEqual(['a']);
  });

  it('starts again after the resource was found', () => {
    const first = confirmMissing(['a'], new Map(), { now: 0, patienceMs: 5000 });
    const found = confirmMissing([], first.since, { now: 3000, patienceMs: 5000 });
    expect([...confirmMissing(['a'], found.since, { now: 6000, patienceMs: 5000 }).confirmed]).toEqual([]);
  });

  it('keeps a resource confirmed until it is found', () => {
    const first = confirmMissing(['a'], new Map(), { now: 0, patienceMs: 10 });
    const second = confirmMissing(['a'], first.since, { now: 10, patienceMs: 10 });
    expect([...confirmMissing(['a'], second.since, { now: 11, patienceMs: 10 }).confirmed]).toEqual(['a']);
  });
});

describe('decideRecordingStep', () => {
  it.each<[RecordingJobState, SourceStanding, RecordingStep]>([
    ['starting', 'sending', 'none'],
    ['starting', 'away', 'interrupt'],
    ['starting', 'gone', 'end'],
    ['recording', 'sending', 'none'],
    ['recording', 'away', 'interrupt'],
    ['recording', 'gone', 'end'],
    ['interrupted', 'sending', 'resume'],
    ['interrupted', 'away', 'none'],
    ['interrupted', 'gone', 'end'],
    ['processing', 'sending', 'none'],
    ['processing', 'away', 'none'],
    ['processing', 'gone', 'none'],
  ])('with a job %s and a source %s returns %s', (job, source, step) => {
    expect(decideRecordingStep(job, source)).toBe(step);
  });
});

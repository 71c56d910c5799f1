import type { DataSource } from 'typeorm';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import type { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import type { SourcesService } from '../sources/sources.service.js';
import type { Recording } from '../resources/recording.entity.js';
import { JobRepairService } from './job-repair.service.js';
import type { Snapshot } from './snapshot.js';

const recording = { id: 'rec_1', nodeID: 'tc-1', state: 'recording' } as Recording;

/** Returns the commands for a node whose job has `state`. `runs`: the row is still running. */
async function toldWhen(runs: boolean, state: 'recording' | 'interrupted', source: object): Promise<unknown[]> {
  const told: WorkerCommand[] = [];
  const database = { manager: { findBy: () => Promise.resolve(runs ? [recording] : []) } } as unknown as DataSource;
  const sources = { locateForRecording: () => Promise.resolve(source) } as unknown as SourcesService;
  const commands = {
    tell: (each: WorkerCommand[]) => Promise.resolve(void told.push(...each)),
  } as unknown as WorkerCommandsService;
  const holdings = { recordings: new Map([['rec_1', { recordingID: 'rec_1', state }]]) };
  const snapshot = {
    recordings: new Map([['rec_1', recording]]),
    transcoders: new Map([['tc-1', { lease: { nodeID: 'tc-1' }, holdings }]]),
  } as unknown as Snapshot;
  const none = {} as never;
  const repair = new JobRepairService(database, sources, none, none, none, none, none, none, commands, none, none);
  await repair.followSources(snapshot);
  return told.map(({ request }) => request);
}

describe('a recording whose source is away', () => {
  const toldOf = (runs: boolean) => toldWhen(runs, 'recording', { standing: 'away' });

  it('gets an interrupt command', async () => {
    expect(await toldOf(true)).toEqual([{ recordingID: 'rec_1' }]);
  });

  it('gets no command when it ended after it was read', async () => {
    expect(await toldOf(false)).toEqual([]);
  });
});

describe('a recording whose source is back', () => {
  const toldOf = (runs: boolean) => toldWhen(runs, 'interrupted', { standing: 'active', nodeID: 'sfu-1' });

  it('gets a resume command', async () => {
    expect(await toldOf(true)).toEqual([{ recordingID: 'rec_1', sfuNodeID: 'sfu-1', onlyIf: 'interrupted' }]);
  });

  it('gets no command when it ended after it was read', async () => {
    expect(await toldOf(false)).toEqual([]);
  });
});

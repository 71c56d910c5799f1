import type { DataSource } from 'typeorm';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import type { WorkerCommands } from '../media-commands/worker-commands.service.js';
import type { RecordingSources } from '../recordings/recording-sources.service.js';
import type { Recording } from '../recordings/recording.entity.js';
import { RecordingRepair } from './recording-repair.service.js';
import type { Snapshot } from './snapshot.js';

const recording = { id: 'rec_1', nodeID: 'tc-1', state: 'recording' } as Recording;

/** What a node that has the recording in `state` is told, while the recording runs or not. */
async function toldWhen(runs: boolean, state: 'recording' | 'interrupted', source: object): Promise<unknown[]> {
  const told: WorkerCommand[] = [];
  const database = { manager: { findBy: () => Promise.resolve(runs ? [recording] : []) } } as unknown as DataSource;
  const sources = { locate: () => Promise.resolve(source) } as unknown as RecordingSources;
  const commands = {
    tell: (each: WorkerCommand[]) => Promise.resolve(void told.push(...each)),
  } as unknown as WorkerCommands;
  const holdings = { recordings: new Map([['rec_1', { recordingID: 'rec_1', state }]]) };
  const snapshot = {
    recordings: new Map([['rec_1', recording]]),
    transcoders: new Map([['tc-1', { lease: { nodeID: 'tc-1' }, holdings }]]),
  } as unknown as Snapshot;
  await new RecordingRepair(database, {} as never, sources, commands, {} as never).follow(snapshot);
  return told.map(({ request }) => request);
}

describe('a recording whose source is away', () => {
  const toldOf = (runs: boolean) => toldWhen(runs, 'recording', { standing: 'away' });

  it('is interrupted', async () => {
    expect(await toldOf(true)).toEqual([{ recordingID: 'rec_1' }]);
  });

  it('is left alone when it ended with its source after it was read', async () => {
    expect(await toldOf(false)).toEqual([]);
  });
});

describe('a recording whose source is back', () => {
  const toldOf = (runs: boolean) => toldWhen(runs, 'interrupted', { standing: 'active', nodeID: 'sfu-1' });

  it('is resumed', async () => {
    expect(await toldOf(true)).toEqual([{ recordingID: 'rec_1', sfuNodeID: 'sfu-1', onlyIf: 'interrupted' }]);
  });

  it('is left alone when it ended after it was read', async () => {
    expect(await toldOf(false)).toEqual([]);
  });
});

import type { DataSource } from 'typeorm';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import type { WorkerCommands } from '../media-commands/worker-commands.service.js';
import type { RecordingSources } from '../recordings/recording-sources.service.js';
import type { Recording } from '../recordings/recording.entity.js';
import { RecordingRepair } from './recording-repair.service.js';
import type { Snapshot } from './snapshot.js';

const snapshot = {
  recordings: [{ id: 'rec_1', nodeID: 'tc-1', state: 'recording' } as Recording],
  transcoders: [
    { lease: { nodeID: 'tc-1' }, inventory: { recordings: [{ recordingID: 'rec_1', state: 'recording' }] } },
  ],
} as unknown as Snapshot;

/** What a node is told of a recording whose source is not active any more, while the recording runs or not. */
async function toldWhen(runs: boolean): Promise<unknown[]> {
  const told: WorkerCommand[] = [];
  const database = { manager: { existsBy: () => Promise.resolve(runs) } } as unknown as DataSource;
  const sources = { locate: () => Promise.resolve({ standing: 'away' }) } as unknown as RecordingSources;
  const commands = {
    tell: (each: WorkerCommand[]) => Promise.resolve(void told.push(...each)),
  } as unknown as WorkerCommands;
  await new RecordingRepair(database, {} as never, sources, commands, {} as never).follow(snapshot);
  return told.map(({ request }) => request);
}

describe('a recording whose source is away', () => {
  it('is interrupted', async () => {
    expect(await toldWhen(true)).toEqual([{ recordingID: 'rec_1' }]);
  });

  it('is left alone when it ended with its source after it was read', async () => {
    expect(await toldWhen(false)).toEqual([]);
  });
});

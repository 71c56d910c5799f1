import type { Bus } from '@rtms/bus';
import { transcoderCommands } from '@rtms/contracts';
import { memoryBus } from '@rtms/testing';
import type { MediaSettings } from '../runtime/media-settings.js';
import { handOverBroadcast } from './worker-command.js';
import { WorkerCommandsService } from './worker-commands.service.js';

describe('commands to media nodes', () => {
  let bus: Bus;
  let received: string[];

  beforeEach(async () => {
    bus = await memoryBus();
    received = [];
    await bus.respond(transcoderCommands.stopBroadcast.forNode('tc-1'), () => {
      received.push('stop');
      return Promise.resolve({});
    });
  });
  afterEach(() => bus.close());

  const tell = () =>
    new WorkerCommandsService(bus, { commandDeadlineMs: 1000 } as MediaSettings).tell(
      handOverBroadcast({ id: 'bcast_1', nodeID: 'tc-1' }),
    );

  it('are replaced for a node of an older version', async () => {
    await tell();
    expect(received).toEqual(['stop']);
  });

  it.each([
    ['carries it out', () => Promise.resolve({})],
    ['fails', () => Promise.reject(new Error('busy'))],
  ])('are not replaced when the node %s', async (_what, answer) => {
    await bus.respond(transcoderCommands.handOverBroadcast.forNode('tc-1'), () => {
      received.push('hand-over');
      return answer();
    });
    await tell();
    expect(received).toEqual(['hand-over']);
  });
});

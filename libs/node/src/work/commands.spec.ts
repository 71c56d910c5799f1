import { MemoryBus } from '@rtms/bus';
import { sfuCommands, transcoderCommands } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { CommandResponder, OnCommand } from './commands.js';

class Rooms {
  readonly closed: string[] = [];

  @OnCommand(sfuCommands.closeRoom)
  async closeRoom({ meetingID }: { meetingID: string }): Promise<void> {
    this.closed.push(meetingID);
  }

  @OnCommand(sfuCommands.drain)
  @OnCommand(transcoderCommands.drain)
  async drain({ draining }: { draining: boolean }): Promise<void> {
    this.closed.push(`draining: ${draining}`);
  }
}

describe('CommandResponder', () => {
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const bus = new MemoryBus();
  const rooms = new Rooms();
  const responder = new CommandResponder({ bus, nodeID: 'n1', role: 'sfu', logger });

  it('answers a command by the method that is declared for it', async () => {
    await responder.answerWith(rooms);
    expect(await bus.request(sfuCommands.closeRoom.forNode('n1'), { meetingID: 'room_1' })).toEqual({});
    expect(rooms.closed).toEqual(['room_1']);
  });

  it('answers only the commands of its own role', async () => {
    await bus.request(sfuCommands.drain.forNode('n1'), { draining: true });
    await expect(bus.request(transcoderCommands.drain.forNode('n1'), { draining: true })).rejects.toThrow();
    expect(rooms.closed).toEqual(['room_1', 'draining: true']);
  });

  it('answers nothing with an object without such methods', async () => {
    await expect(responder.answerWith({ closeRoom: () => undefined })).resolves.toBeUndefined();
  });

  it('answers nothing once it is closed', async () => {
    await responder.close();
    await responder.close();
    await expect(bus.request(sfuCommands.closeRoom.forNode('n1'), { meetingID: 'room_2' })).rejects.toThrow();
  });
});

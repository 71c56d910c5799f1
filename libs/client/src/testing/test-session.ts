import { ManualClock } from '@rtms/testing';
import { RoomSession } from '../room-session.js';
import { FakeDevices } from './fake-device.js';
import { FakeServer } from './fake-server.js';

export interface TestSession {
  session: RoomSession;
  server: FakeServer;
  clock: ManualClock;
  devices: FakeDevices;
}

/** Waits until settled promises have run their callbacks. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

export function makeSession(options: { renewToken?: () => Promise<string> } = {}): TestSession {
  const server = new FakeServer();
  const clock = new ManualClock();
  const devices = new FakeDevices();
  let commands = 0;
  const session = new RoomSession({
    connect: server.connect,
    token: 'first-token',
    renewToken: options.renewToken,
    clock,
    newID: () => `command_${(commands += 1)}`,
    random: () => 1,
    createDevice: devices.create,
  });
  return { session, server, clock, devices };
}

/** A session that has joined a room, at sequence 0. */
export async function joinedSession(options?: { renewToken?: () => Promise<string> }): Promise<TestSession> {
  const test = makeSession(options);
  const joining = test.session.join(15_000);
  test.server.last.welcome();
  await joining;
  return test;
}

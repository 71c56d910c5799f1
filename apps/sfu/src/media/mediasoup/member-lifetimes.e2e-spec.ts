/** @weight 0.4 */
import { createLogger } from '@rtms/logging';
import { systemClock } from '@rtms/clock';
import fc from 'fast-check';
import type { RtpDescription } from '@rtms/contracts';
import { parseCapabilities, parseRtpParameters } from '../../rooms/member-parameters.js';
import { Audiences } from '../../rooms/audiences.js';
import type { ShownTrack } from '../../rooms/member-connection.js';
import { Room } from '../../rooms/room.js';
import {
  makeDtlsParameters,
  makeRtpCapabilities,
  makeRtpParameters,
  makeSimulcastParameters,
} from '../../testing/member-parameters.js';
import type { MediasoupEngine } from './mediasoup-engine.js';
import { killMediasoupWorker, settleMediasoup, startMediasoup } from '../testing/mediasoup-under-test.js';

let engine: MediasoupEngine;

beforeEach(async () => {
  engine = await startMediasoup({ workers: 1, clock: systemClock });
});

afterEach(() => engine.close());

function openRoom(): Room {
  return new Room('room_1', {
    engine,
    viewersOf: room => room,
    audiences: new Audiences(systemClock, () => engine.load().capacity),
    facts: { report: () => undefined, forget: () => undefined },
    announce: () => undefined,
    askForRepair: () => Promise.resolve(),
    logger: createLogger({ service: 'spec', level: 'silent' }),
    clock: systemClock,
    noteEnd: () => undefined,
  });
}

/** A track that is not repaired. */
function shownAsIs(room: Room, trackID: string): ShownTrack {
  const track = room.members.track(trackID);
  return { track, shown: track, isWaiting: () => false };
}

/** The routers of the worker and the handlers on them. */
async function held(): Promise<{ routers: string[]; handlers: string[] }> {
  const [worker] = engine.workers;
  if (!worker) throw new Error('no worker');
  const { routerIds, channelMessageHandlers } = await worker.dump();
  const { channelRequestHandlers, channelNotificationHandlers } = channelMessageHandlers;
  return { routers: routerIds, handlers: [...channelRequestHandlers, ...channelNotificationHandlers].sort() };
}

async function join(room: Room, participantID: string): Promise<{ send: string; receive: string }> {
  await room.members.open(participantID);
  const [send, receive] = [
    await room.members.openTransport(participantID, 'send'),
    await room.members.openTransport(participantID, 'receive'),
  ];
  const member = room.members.get(participantID);
  for (const { transportID } of [send, receive]) await member.connectTransport(transportID, makeDtlsParameters());
  return { send: send.transportID, receive: receive.transportID };
}

async function publishAll(room: Room, participantID: string, transportID: string): Promise<string[]> {
  const member = room.members.get(participantID);
  const sources = {
    microphone: makeRtpParameters('audio', 'a'),
    camera: makeSimulcastParameters('b'),
    screen: makeRtpParameters('video', 'c'),
  };
  const tracks = [];
  for (const [source, rtpParameters] of Object.entries(sources))
    tracks.push(await member.publish({ transportID, source: source as 'camera', rtpParameters, maxBitrate: 900_000 }));
  return tracks.map(({ trackID }) => trackID);
}

describe('the objects of members on a media worker', () => {
  it('ends with the members, their transports and their room, also when closed twice', async () => {
    const before = await held();
    const room = openRoom();
    await room.open();
    const empty = await held();
    for (const participantID of ['part_1', 'part_2']) await join(room, participantID);
    const [ada, bob] = [await join(room, 'part_1'), await join(room, 'part_2')];
    const trackIDs = await publishAll(room, 'part_1', ada.send);
    await publishAll(room, 'part_2', bob.send);
    for (const trackID of trackIDs)
      await room.members
        .get('part_2')
        .subscribe(shownAsIs(room, trackID), { transportID: bob.receive, rtpCapabilities: makeRtpCapabilities() });
    await room.members.closeTrack(trackIDs[2] ?? '');
    // Five tracks of two publishers, two subscriptions.
    await settleMediasoup(engine);
    expect(engine.load()).toMatchObject({ consumers: 7, publishers: 2 });
    for (const participantID of ['part_1', 'part_1', 'part_2']) await room.closeMember(participantID);
    expect(engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
    // The room's speaker observer stays until the room closes.
    await settleMediasoup(engine);
    expect((await held()).handlers.length).toBeLessThanOrEqual(empty.handlers.length + 1);
    await join(room, 'part_1');
    for (const _time of [1, 2]) await room.close();
    await settleMediasoup(engine);
    expect(await held()).toEqual(before);
  });

  it('is reopened on another worker after a crash', async () => {
    const room = openRoom();
    const { send } = await join(room, 'part_1');
    await publishAll(room, 'part_1', send);
    const [pid] = engine.workerPids();
    if (pid === undefined) throw new Error('no worker');
    await killMediasoupWorker(engine, pid);
    expect(engine.workerPids()).not.toContain(pid);
    expect(engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
    const again = await join(room, 'part_1');
    expect(await publishAll(room, 'part_1', again.send)).toHaveLength(3);
    await room.close();
  });
});

describe('a member’s client with invalid parameters', () => {
  /** Parameters of mediasoup-client with one changed value. */
  function lies(truth: RtpDescription): fc.Arbitrary<RtpDescription> {
    const paths = pathsOf(truth);
    const value = fc.oneof(
      fc.constantFrom(0, 1, -1, 2 ** 31, 2 ** 32, 1.5, '', 'video/VP9', 'video/rtx', 'audio/opus', null, [], {}, true),
      fc.string(),
      fc.integer(),
      fc.jsonValue(),
    );
    return fc.array(fc.tuple(fc.constantFrom(...paths), value), { minLength: 1, maxLength: 4 }).map(changes => {
      const copy = structuredClone(truth);
      for (const [path, lie] of changes) put(copy, path, lie);
      return copy;
    });
  }

  it('never crashes the media worker', async () => {
    const room = openRoom();
    const { send, receive } = await join(room, 'part_1');
    const member = room.members.get('part_1');
    const pids = engine.workerPids();
    const { trackID } = await member.publish({
      transportID: send,
      source: 'screen',
      rtpParameters: makeRtpParameters('video', 'honest'),
    });
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) => expect(error).toMatchObject({ reason: 'invalid_request' }));
    };
    const publications = fc.oneof(lies(makeSimulcastParameters()), lies(makeRtpParameters('video', 'camera')));
    await fc.assert(
      fc.asyncProperty(publications, lies(makeRtpCapabilities()), async (rtpParameters, rtpCapabilities) => {
        await attempt(async () => {
          const request = { transportID: send, source: 'camera' as const, rtpParameters };
          const track = await member.publish(request);
          await member.closeTrack(track.trackID);
        });
        await attempt(async () => {
          const request = { transportID: receive, rtpCapabilities };
          const { subscriptionID } = await member.subscribe(shownAsIs(room, trackID), request);
          await member.updateSubscription(subscriptionID, { paused: false, layers: { spatialLayer: 2 } });
          await member.unsubscribe(subscriptionID);
        });
      }),
      { numRuns: 500 },
    );
    expect(engine.workerPids()).toEqual(pids);
    await room.close();
  });

  it('gets an error that names the fault', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        for (const parse of [parseCapabilities, (given: unknown) => parseRtpParameters('video', given)])
          expect(() => parse(value)).toThrow(expect.objectContaining({ reason: 'invalid_request' }) as Error);
      }),
    );
  });
});

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const below = keys.flatMap(key => pathsOf((value as Record<string | number, unknown>)[key], [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

/** An earlier change may have removed the place. */
function put(target: unknown, path: Path, value: unknown): void {
  const [key, ...rest] = path;
  if (typeof target !== 'object' || target === null || key === undefined) return;
  const holder = target as Record<string | number, unknown>;
  if (rest.length === 0) holder[key] = value;
  else put(holder[key], rest, value);
}

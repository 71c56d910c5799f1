import type { RoomTrack, RosterEntry, SocketAnswer, SocketCommand } from '@rtms/contracts';
import { fakeTrack } from '../testing/fake-device.js';
import { joinedSession, settled, type TestSession } from '../testing/test-session.js';

interface MediaTest extends TestSession {
  sent: SocketCommand[];
  /** Replies by command. Other commands get an empty reply. */
  failures: Map<string, SocketAnswer<never>>;
}

const turn = (username: string) => ({ urls: ['turns:turn.example'], username, credential: 'c' });

/** A session with a service that accepts every command. */
async function mediaSession(): Promise<MediaTest> {
  const test = await joinedSession();
  const sent: SocketCommand[] = [];
  const failures = new Map<string, SocketAnswer<never>>();
  let ids = 0;
  const replies: Record<string, (request: Record<string, unknown>) => object> = {
    'media.open': () => ({ routerRtpCapabilities: {}, maxHeight: 720, maxBitrate: 4_000_000 }),
    'media.openTransport': () => ({ transportID: `transport_${(ids += 1)}`, iceServers: [turn('first')] }),
    'media.publish': () => ({ trackID: `trk_${(ids += 1)}` }),
    'media.restartIce': () => ({ iceParameters: {}, iceServers: [turn('second')] }),
    'media.subscribe': ({ trackID }) => ({
      subscriptionID: `sub_${(ids += 1)}`,
      trackID,
      kind: 'video',
      rtpParameters: {},
      layers: { spatial: 3, temporal: 3 },
    }),
  };
  test.server.onCommand = (command, answer) => {
    sent.push(command);
    const reply = replies[command.name]?.(command.request) ?? {};
    answer(failures.get(command.name) ?? { success: true, ...reply });
  };
  return { ...test, sent, failures };
}

function entry(tracks: Partial<RoomTrack>[]): RosterEntry {
  const whole = tracks.map(track => ({ kind: 'video', source: 'camera', codec: 'VP8', state: 'live', ...track }));
  return { participantID: 'part_x', kind: 'member', userName: 'x', tracks: whole } as unknown as RosterEntry;
}

function changes(test: MediaTest, sequence: number, tracks: Partial<RoomTrack>[]): void {
  test.server.last.listener.onEvent({
    type: 'participant.changed',
    sequence,
    at: '',
    participant: entry(tracks),
  });
}

function names({ sent }: MediaTest): string[] {
  return sent.map(({ name }) => name);
}

describe('publishing', () => {
  it('opens media once, and sends as the room allows', async () => {
    const test = await mediaSession();
    const { media } = test.session;
    const [camera, microphone] = await Promise.all([
      media.publish(fakeTrack('video', 1920, 1080), { source: 'camera' }),
      media.publish(fakeTrack('audio'), { source: 'microphone' }),
    ]);
    expect(names(test).filter(name => name !== 'media.publish')).toEqual(['media.open', 'media.openTransport']);
    const [video] = test.devices.transport('send').producers;
    expect(video?.options.encodings?.at(-1)).toMatchObject({ scaleResolutionDownBy: 1.5 });
    expect([camera.source, microphone.source]).toEqual(['camera', 'microphone']);
    expect(media.state).toBe('connected');
  });

  it('is refused for a published source, or by the service, and leaves nothing behind', async () => {
    const test = await mediaSession();
    const { media } = test.session;
    await media.publish(fakeTrack(), { source: 'camera' });
    await expect(media.publish(fakeTrack(), { source: 'camera' })).rejects.toMatchObject({
      reason: 'already_publishing',
    });
    test.failures.set('media.publish', { success: false, error: 'No.', code: 'FORBIDDEN', reason: 'not_permitted' });
    await expect(media.publish(fakeTrack(), { source: 'screen' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(media.local('screen')).toBeUndefined();
  });

  it('can be muted by its owner and by a host, and either way its owner alone undoes it', async () => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const muted: boolean[] = [];
    camera.on('mute.changed', ({ isMuted }) => muted.push(isMuted));
    const [producer] = test.devices.transport('send').producers;
    await camera.mute();
    await camera.unmute();
    changes(test, 1, [{ trackID: camera.trackID!, state: 'paused' }]);
    expect([camera.isMuted, producer?.paused]).toEqual([true, true]);
    await camera.unmute();
    expect([camera.isMuted, producer?.paused]).toEqual([false, false]);
    expect(muted).toEqual([true, false, true, false]);
    expect(names(test).slice(-3)).toEqual(['media.pauseTrack', 'media.resumeTrack', 'media.resumeTrack']);
  });

  it('ends once it is unpublished, and once the service closed its track', async () => {
    const test = await mediaSession();
    const { media } = test.session;
    const camera = await media.publish(fakeTrack(), { source: 'camera' });
    await camera.unpublish();
    await camera.unpublish();
    expect(names(test).filter(name => name === 'media.closeTrack')).toHaveLength(1);
    const screen = await media.publish(fakeTrack(), { source: 'screen' });
    changes(test, 1, [{ trackID: screen.trackID! }]);
    changes(test, 2, []);
    await test.clock.advance(2_000);
    expect([screen.isEnded, media.local('screen')]).toEqual([true, undefined]);
  });

  it('replaces the device, and publishes anew only when it must', async () => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const former = camera.trackID;
    await camera.replaceTrack(fakeTrack());
    expect(camera.trackID).toBe(former);
    await camera.replaceTrack(fakeTrack('video', 640, 360));
    expect(camera.trackID).not.toBe(former);
    expect(names(test).slice(-2)).toEqual(['media.closeTrack', 'media.publish']);
  });
});

describe('subscribing', () => {
  it('starts once the track can be played, and once for each track', async () => {
    const test = await mediaSession();
    const { media } = test.session;
    const subscription = await media.subscribe('trk_a', { layers: { spatialLayer: 1 } });
    expect(await media.subscribe('trk_a')).toBe(subscription);
    expect(test.sent.at(-1)).toMatchObject({
      name: 'media.updateSubscription',
      request: { paused: false, layers: { spatialLayer: 1 } },
    });
    await subscription.pause();
    await subscription.resume();
    await subscription.close();
    await subscription.close();
    expect(names(test).slice(-3)).toEqual([
      'media.updateSubscription',
      'media.updateSubscription',
      'media.unsubscribe',
    ]);
  });

  it.each([
    ['while the browser prepares it', false],
    ['before its answer is here', true],
  ])('is opened again when its track goes on from another encoder %s', async (_when, isEarly) => {
    const test = await mediaSession();
    const first = await test.session.media.subscribe('trk_a');
    const replace = (subscriptionID: string) =>
      test.server.last.listener.onSignal({ type: 'subscription.ended', subscriptionID, isReplaced: true });
    const receiver = test.devices.transport('receive');
    const { onCommand } = test.server;
    test.server.onCommand = (command, answer) => {
      if (isEarly) replace('sub_3');
      onCommand(command, answer);
      test.server.onCommand = onCommand;
    };
    receiver.consuming = async () => {
      receiver.consuming = () => Promise.resolve();
      if (!isEarly) replace('sub_3');
    };
    const subscription = await test.session.media.subscribe('trk_b');
    expect(subscription.subscriptionID).toBe('sub_4');
    expect(receiver.consumers.map(({ id, closed }) => [id, closed])).toEqual([
      [first.subscriptionID, false],
      ['sub_3', true],
      ['sub_4', false],
    ]);
    expect(test.sent.at(-1)).toMatchObject({ name: 'media.updateSubscription', request: { subscriptionID: 'sub_4' } });
  });

  it('ends with its track, by the event or by the roster', async () => {
    const test = await mediaSession();
    const [one, other] = await Promise.all(['trk_a', 'trk_b'].map(id => test.session.media.subscribe(id)));
    test.server.last.listener.onSignal({ type: 'subscription.ended', subscriptionID: one!.subscriptionID! });
    changes(test, 1, [{ trackID: 'trk_b' }]);
    changes(test, 2, []);
    expect([one!.isEnded, other!.isEnded]).toEqual([true, true]);
  });
});

describe('losing media', () => {
  it('restores publishing and subscriptions', async () => {
    const test = await mediaSession();
    const { media } = test.session;
    const camera = await media.publish(fakeTrack(), { source: 'camera' });
    await camera.mute();
    const subscription = await media.subscribe('trk_a');
    await subscription.setLayers({ spatialLayer: 0 });
    const [formerTrack, formerID] = [subscription.track, camera.trackID];
    const shown: MediaStreamTrack[] = [];
    subscription.on('track.changed', ({ track }) => shown.push(track));
    const states: string[] = [];
    test.session.events.on('media.changed', ({ state }) => states.push(state));
    test.sent.length = 0;
    test.server.last.listener.onSignal({ type: 'media.lost' });
    await settled();
    expect(test.devices.transports.map(({ closed }) => closed)).toEqual([true, true, false, false]);
    expect(shown).toEqual([subscription.track]);
    expect(subscription.track).not.toBe(formerTrack);
    expect(camera.trackID).not.toBe(formerID);
    expect(test.devices.transport('send').producers[0]?.paused).toBe(true);
    expect(names(test)).toContain('media.pauseTrack');
    expect(test.sent.find(({ name }) => name === 'media.updateSubscription')?.request).toMatchObject({
      layers: { spatialLayer: 0 },
    });
    expect(states).toEqual(['recovering', 'connected']);
  });

  it.each([
    ['subscribes again', { type: 'media.lost' } as const],
    ['ends', undefined],
  ])('%s when it closes the connection that receives the track', async (_what, lost) => {
    const test = await mediaSession();
    await test.session.media.subscribe('trk_a');
    test.devices.transport('receive').consuming = () => new Promise(() => undefined);
    const subscribing = test.session.media.subscribe('trk_b');
    subscribing.catch(() => undefined);
    await settled();
    if (lost) {
      test.server.last.listener.onSignal(lost);
      expect((await subscribing).subscriptionID).toBe(test.devices.transport('receive').consumers.at(-1)?.id);
    } else {
      test.server.last.listener.onFarewell({ reason: 'participant_removed' });
      await expect(subscribing).rejects.toMatchObject({ reason: 'connection_closed' });
    }
  });

  it.each([
    ['before it is lost', 1280, true],
    ['of another size before it is lost', 640, true],
    ['while it is reopened', 1280, false],
    ['of another size while it is reopened', 640, false],
  ])('sends the track that replaces another %s, once', async (_when, width, isBefore) => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const lose = () => test.server.last.listener.onSignal({ type: 'media.lost' });
    const track = fakeTrack('video', width);
    if (!isBefore) lose();
    const replaced = camera.replaceTrack(track);
    if (isBefore) lose();
    await replaced;
    await settled();
    const { producers } = test.devices.transport('send');
    expect(producers.filter(({ closed }) => !closed)).toMatchObject([{ id: camera.trackID, options: { track } }]);
  });

  it('says that a subscription has no statistics now', async () => {
    const test = await mediaSession();
    const subscription = await test.session.media.subscribe('trk_a');
    expect(await subscription.getStats()).toEqual(new Map());
    test.server.last.listener.onSignal({ type: 'media.lost' });
    await Promise.resolve();
    await expect(subscription.getStats()).rejects.toMatchObject({ code: 'CONFLICT', reason: 'media_failed' });
    await settled();
    expect(await subscription.getStats()).toEqual(new Map());
  });

  it('retries while no media node answers, and ends what is refused', async () => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const subscription = await test.session.media.subscribe('trk_a');
    const busy = { success: false, error: 'Later.', code: 'SERVICE_UNAVAILABLE' } as const;
    test.failures.set('media.open', busy);
    test.failures.set('media.subscribe', { success: false, error: 'Gone.', code: 'NOT_FOUND', reason: 'not_found' });
    test.server.last.listener.onSignal({ type: 'media.lost' });
    await settled();
    expect(camera.trackID).toBeUndefined();
    await test.clock.advance(500);
    await settled();
    test.failures.delete('media.open');
    await test.clock.advance(1_000);
    await settled();
    expect(camera.trackID).toBeDefined();
    expect(subscription.isEnded).toBe(true);
  });

  it('restarts ICE first when a transport fails', async () => {
    const test = await mediaSession();
    await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const transport = test.devices.transport('send');
    transport.becomes('disconnected');
    await test.clock.advance(2_000);
    transport.becomes('connected');
    await test.clock.advance(10_000);
    expect(transport.iceRestarts).toBe(0);
    transport.becomes('failed');
    await settled();
    expect(transport.iceRestarts).toBe(1);
    expect([transport.options.iceServers, ...transport.iceServers]).toEqual([[turn('first')], [turn('second')]]);
    transport.becomes('connected');
    await test.clock.advance(20_000);
    await settled();
    expect(transport.closed).toBe(false);
  });

  it.each([
    ['does not help', undefined],
    [
      'is refused',
      { success: false, error: 'Unknown.', code: 'NOT_FOUND', reason: 'not_found' } satisfies SocketAnswer<never>,
    ],
  ])('reopens media when ICE %s', async (_what, failure) => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const transport = test.devices.transport('send');
    if (failure) test.failures.set('media.restartIce', failure);
    transport.becomes('failed');
    await settled();
    await test.clock.advance(10_000);
    await settled();
    expect(transport.closed).toBe(true);
    expect(camera.trackID).toBe(test.devices.transport('send').producers[0]?.id);
  });

  it('stops when the room ends, and closes all', async () => {
    const test = await mediaSession();
    const camera = await test.session.media.publish(fakeTrack(), { source: 'camera' });
    const subscription = await test.session.media.subscribe('trk_a');
    test.server.last.listener.onFarewell({ reason: 'participant_removed' });
    await settled();
    expect([camera.isEnded, subscription.isEnded]).toEqual([true, true]);
    expect(test.devices.transports.every(({ closed }) => closed)).toBe(true);
    await expect(test.session.media.subscribe('trk_b')).rejects.toMatchObject({ reason: 'connection_closed' });
  });
});

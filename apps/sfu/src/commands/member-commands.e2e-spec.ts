/** @weight 0.5 */
import type { Address } from '@rtms/bus';
import { roomMediaEventSubject, sfuCommands, type RoomMediaEvent, type RtpDescription } from '@rtms/contracts';
import request from 'supertest';
import { chromiumPublishes, chromiumWatches } from '../sdp/testing/client-offers.js';
import type { MemberTransport } from '../media/member-media.js';
import {
  makeDtlsParameters,
  makeRtpCapabilities,
  makeRtpParameters,
  makeSimulcastParameters,
} from '../testing/member-parameters.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

let plane: TestPlane;
let node: TestNode;
let news: RoomMediaEvent[];

beforeEach(async () => {
  plane = await TestPlane.open();
  node = await TestNode.open(plane);
  news = [];
  await plane.bus.listen<RoomMediaEvent>(`${roomMediaEventSubject}.*`, ({ payload }) => news.push(payload));
});

afterEach(() => node.close());

function command<Request, Reply>(address: { forNode(nodeID: string): Address<Request, Reply> }, body: Request) {
  return plane.bus.request(address.forNode('sfu-1'), body);
}

/** A member with both transports, connected. */
async function join(participantID: string, meetingID = 'room_1') {
  await command(sfuCommands.openMember, { meetingID, participantID });
  const [send, receive] = [await openTransport(participantID, 'send'), await openTransport(participantID, 'receive')];
  const { members } = await node.engine.openRoom(meetingID);
  const [sender, receiver] = [transportOf(members.senders, send), transportOf(members.receivers, receive)];
  for (const peer of [sender, receiver]) peer.peerConnects();
  return { participantID, send, receive, members, sender, receiver };
}

function transportOf<Transport extends MemberTransport>(all: Iterable<Transport>, transportID: string): Transport {
  const found = [...all].find(({ parameters }) => parameters.transportID === transportID);
  if (!found) throw new Error('the member has no such transport');
  return found;
}

async function openTransport(participantID: string, direction: 'send' | 'receive'): Promise<string> {
  const { transportID } = await command(sfuCommands.openMemberTransport, { participantID, direction });
  const dtlsParameters = makeDtlsParameters();
  for (const _time of [1, 2])
    await command(sfuCommands.connectMemberTransport, { participantID, transportID, dtlsParameters });
  return transportID;
}

async function publish(
  { participantID, send }: { participantID: string; send: string },
  source: 'microphone' | 'camera' | 'screen' = 'camera',
  rtpParameters: RtpDescription = makeRtpParameters(source === 'microphone' ? 'audio' : 'video', source),
) {
  return command(sfuCommands.publishTrack, { participantID, transportID: send, source, rtpParameters });
}

function subscribe({ participantID, receive }: { participantID: string; receive: string }, trackID: string) {
  const rtpCapabilities = makeRtpCapabilities();
  return command(sfuCommands.subscribe, { participantID, transportID: receive, trackID, rtpCapabilities });
}

describe('members', () => {
  it('are told what the room can receive, and how to connect', async () => {
    const opened = await command(sfuCommands.openMember, { meetingID: 'room_1', participantID: 'part_1' });
    const opus = expect.objectContaining({ mimeType: 'audio/opus' }) as object;
    expect(opened.routerRtpCapabilities['codecs']).toEqual(expect.arrayContaining([opus]));
    const ask = { participantID: 'part_1', direction: 'send' as const };
    const transport = await command(sfuCommands.openMemberTransport, ask);
    expect(transport).toEqual({
      transportID: expect.any(String),
      iceParameters: expect.objectContaining({ usernameFragment: expect.any(String) }),
      iceCandidates: expect.arrayContaining([expect.objectContaining({ protocol: 'udp' })]),
      dtlsParameters: expect.objectContaining({ fingerprints: expect.any(Array) }),
    });
    const { transportID } = transport;
    const restarted = await command(sfuCommands.restartMemberIce, { participantID: 'part_1', transportID });
    expect(restarted.iceParameters['usernameFragment']).not.toBe(transport.iceParameters['usernameFragment']);
  });

  it('are listed, and gone after they were closed, once or twice', async () => {
    const { trackID } = await publish(await join('part_1'));
    expect(await command(sfuCommands.inventory, {})).toMatchObject({
      meetingIDs: ['room_1'],
      members: [{ participantID: 'part_1', meetingID: 'room_1', trackIDs: [trackID] }],
    });
    for (const _time of [1, 2]) await command(sfuCommands.closeMember, { participantID: 'part_1' });
    expect(await command(sfuCommands.inventory, {})).toMatchObject({ members: [] });
    expect(node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
  });

  it('publish and subscribe; what is sent starts paused, then with a keyframe', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const published = await publish(ada, 'camera', makeSimulcastParameters());
    expect(published).toEqual({ trackID: expect.stringMatching(/^trk_/), codec: 'VP8' });
    const subscription = await subscribe(bob, published.trackID);
    expect(subscription).toMatchObject({ kind: 'video', layers: { spatial: 3, temporal: 3 } });
    const [track] = ada.sender.tracks;
    const [received] = bob.receiver.subscriptions;
    expect([received?.isFlowing, track?.keyframeRequests]).toEqual([false, 0]);
    const { subscriptionID } = subscription;
    const change = { participantID: 'part_2', subscriptionID };
    await command(sfuCommands.updateSubscription, { ...change, paused: false, layers: { spatialLayer: 1 } });
    expect([received?.isFlowing, track?.keyframeRequests]).toEqual([true, 1]);
    expect(received?.preferred).toEqual({ spatialLayer: 1 });
    received?.arrive({ spatialLayer: 1, temporalLayer: 2 });
    await plane.quiet();
    expect(news).toEqual([
      {
        type: 'subscription.layers',
        meetingID: 'room_1',
        participantID: 'part_2',
        subscriptionID,
        layers: { spatialLayer: 1, temporalLayer: 2 },
      },
    ]);
    for (const _time of [1, 2]) await command(sfuCommands.unsubscribe, { participantID: 'part_2', subscriptionID });
    expect(bob.receiver.subscriptions.size).toBe(0);
  });

  it('have a command that is repeated answered as it was, and a second track of one source refused', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const { trackID } = await publish(ada);
    expect(await publish(ada)).toMatchObject({ trackID });
    await expect(publish(ada, 'camera', makeSimulcastParameters())).rejects.toMatchObject({
      failure: { reason: 'already_publishing' },
    });
    const subscription = await subscribe(bob, trackID);
    expect(await subscribe(bob, trackID)).toEqual(subscription);
    expect(node.engine.load()).toMatchObject({ consumers: 2, publishers: 2 });
  });

  it('have a transport replaced by the next one of its direction', async () => {
    const ada = await join('part_1');
    await publish(ada);
    const send = await openTransport('part_1', 'send');
    expect(ada.sender.state).toBe('closed');
    await expect(publish(ada)).rejects.toMatchObject({ failure: { reason: 'not_found' } });
    expect(await publish({ ...ada, send })).toMatchObject({ codec: 'VP8' });
    await plane.quiet();
    expect(news).toEqual([]);
  });

  it('pause, resume and close their tracks for all who receive them', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const { trackID } = await publish(ada);
    const { subscriptionID } = await subscribe(bob, trackID);
    await command(sfuCommands.updateSubscription, { participantID: 'part_2', subscriptionID, paused: false });
    const [received] = bob.receiver.subscriptions;
    await command(sfuCommands.pauseTrack, { trackID });
    expect(received?.isFlowing).toBe(false);
    await command(sfuCommands.resumeTrack, { trackID });
    expect(received?.isFlowing).toBe(true);
    await command(sfuCommands.requestTrackKeyframe, { trackID });
    expect(ada.sender.tracks[0]?.keyframeRequests).toBe(2);
    for (const _time of [1, 2]) await command(sfuCommands.closeTrack, { trackID });
    await plane.quiet();
    expect(news).toEqual([
      { type: 'subscription.ended', meetingID: 'room_1', participantID: 'part_2', subscriptionID },
    ]);
    await expect(command(sfuCommands.pauseTrack, { trackID })).rejects.toMatchObject({
      failure: { reason: 'not_found' },
    });
  });

  it('are heard of when they speak, whoever listens', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const [{ trackID: adas }, { trackID: bobs }] = [await publish(ada, 'microphone'), await publish(bob, 'microphone')];
    for (const trackID of [adas, bobs, bobs, undefined]) ada.members.speak(trackID);
    await plane.quiet();
    expect(news.map(event => event.type === 'speaker.changed' && event.participantID)).toEqual([
      'part_1',
      'part_2',
      undefined,
    ]);
  });

  it('are fed to a transcoder like a session, until they leave', async () => {
    const ada = await join('part_1');
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
    const open = () => command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'part_1', destinations });
    await expect(open()).rejects.toMatchObject({ failure: { reason: 'source_not_active' } });
    const { trackID } = await publish(ada);
    expect(await open()).toEqual({ tracks: [expect.objectContaining({ trackID, codec: 'VP8' })] });
    await command(sfuCommands.requestKeyframe, { sourceID: 'part_1' });
    expect(ada.sender.tracks[0]?.keyframeRequests).toBe(2);
    await command(sfuCommands.closeMember, { participantID: 'part_1' });
    expect(node.engine.feeds).toEqual([]);
  });

  it('take a feed along when the last of its tracks ends', async () => {
    const ada = await join('part_1');
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
    const { trackID } = await publish(ada);
    await publish(ada, 'screen');
    await command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'part_1', destinations });
    await command(sfuCommands.closeTrack, { trackID });
    expect(node.engine.feeds).toEqual([]);
  });

  it('are told when their media worker died, and begin anew in the same room', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const { trackID } = await publish(ada);
    const { subscriptionID } = await subscribe(bob, trackID);
    await node.engine.killWorker();
    await plane.quiet();
    const inTheRoom = (event: object): object => ({ meetingID: 'room_1', ...event });
    expect(news).toHaveLength(4);
    expect(news).toEqual(
      expect.arrayContaining(
        [
          { type: 'track.ended', participantID: 'part_1', trackID },
          { type: 'subscription.ended', participantID: 'part_2', subscriptionID },
          { type: 'media.lost', participantID: 'part_1' },
          { type: 'media.lost', participantID: 'part_2' },
        ].map(inTheRoom),
      ),
    );
    expect(await publish(await join('part_1'))).not.toMatchObject({ trackID });
    expect(node.engine.rooms).toHaveLength(1);
  });

  it('are given up by a node that is drained, which takes no further ones', async () => {
    await join('part_1');
    await command(sfuCommands.drain, { draining: true });
    await plane.pass(59_999);
    expect(news).toEqual([]);
    await plane.pass(1);
    expect(news).toEqual([{ type: 'media.lost', meetingID: 'room_1', participantID: 'part_1' }]);
    await expect(join('part_2')).rejects.toMatchObject({ failure: { reason: 'controller_unavailable' } });
    expect(await command(sfuCommands.inventory, {})).toMatchObject({ members: [] });
  });

  it('leave nothing behind when their room is closed', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    await subscribe(bob, (await publish(ada)).trackID);
    for (const _time of [1, 2]) await command(sfuCommands.closeRoom, { meetingID: 'room_1' });
    expect(node.engine.rooms).toEqual([]);
    expect(node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
  });
});

describe('a member that lies', () => {
  it.each<[string, unknown, RtpDescription]>([
    ['no codecs', 'invalid_request', makeRtpParameters('video', 'v', { codecs: [] })],
    ['a codec of another kind', 'invalid_request', makeRtpParameters('audio')],
    ['an unknown codec', 'invalid_request', withCodec({ mimeType: 'video/H265', payloadType: 96, clockRate: 90_000 })],
    ['a payload type out of range', 'invalid_request', withCodec({ mimeType: 'video/VP8', payloadType: 999 })],
    ['no encodings', 'invalid_request', makeRtpParameters('video', 'v', { encodings: [] })],
    ['a hundred encodings', 'invalid_request', makeRtpParameters('video', 'v', { encodings: Array(100).fill({}) })],
    ['an SSRC that is none', 'invalid_request', makeRtpParameters('video', 'v', { encodings: [{ ssrc: 2 ** 40 }] })],
    ['text in place of a list', 'invalid_request', { codecs: 'VP8' }],
    ['nothing', 'invalid_request', {}],
  ])('about its rtpParameters, with %s, is refused', async (_case, reason, rtpParameters) => {
    const ada = await join('part_1');
    await expect(publish(ada, 'camera', rtpParameters)).rejects.toMatchObject({ failure: { reason } });
    expect(node.engine.load()).toMatchObject({ consumers: 0 });
  });

  it('names what is not its own, and is told that there is no such thing', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const { trackID } = await publish(ada);
    const { subscriptionID } = await subscribe(bob, trackID);
    const elsewhere = await join('part_3', 'room_2');
    const foreign: (() => Promise<unknown>)[] = [
      () => publish({ participantID: 'part_2', send: ada.send }),
      () => subscribe({ participantID: 'part_1', receive: bob.receive }, trackID),
      () => subscribe(elsewhere, trackID),
      () => command(sfuCommands.updateSubscription, { participantID: 'part_1', subscriptionID, paused: false }),
      () => command(sfuCommands.restartMemberIce, { participantID: 'part_1', transportID: bob.send }),
      () => openTransport('part_9', 'send'),
      () => command(sfuCommands.requestTrackKeyframe, { trackID: 'trk_none' }),
    ];
    for (const attempt of foreign) await expect(attempt()).rejects.toMatchObject({ failure: { reason: 'not_found' } });
    await command(sfuCommands.unsubscribe, { participantID: 'part_1', subscriptionID });
    expect(bob.receiver.subscriptions.size).toBe(1);
  });

  it('about its capabilities, its layers or its DTLS parameters, is refused', async () => {
    const [ada, bob] = [await join('part_1'), await join('part_2')];
    const { trackID } = await publish(ada);
    const { subscriptionID } = await subscribe(bob, trackID);
    const { participantID, receive: transportID } = bob;
    const layers = { spatialLayer: -1 };
    const dtlsParameters = { fingerprints: [{ algorithm: 'md5', value: '00' }] };
    const other = await publish(ada, 'screen');
    const rtpCapabilities = { codecs: [{ kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2 }] };
    const lies: (() => Promise<unknown>)[] = [
      () => command(sfuCommands.updateSubscription, { participantID, subscriptionID, layers }),
      () => command(sfuCommands.connectMemberTransport, { participantID, transportID, dtlsParameters }),
      () => command(sfuCommands.subscribe, { participantID, transportID, trackID: other.trackID, rtpCapabilities }),
    ];
    for (const lie of lies) await expect(lie()).rejects.toMatchObject({ failure: { reason: 'invalid_request' } });
  });

  function withCodec(codec: RtpDescription): RtpDescription {
    return makeRtpParameters('video', 'v', { codecs: [codec] });
  }
});

describe('an external session whose publisher comes as a member', () => {
  beforeEach(() => node.openSession('ext_1'));

  it('is active when every kind arrives, interrupted when the publisher is lost, and listed once', async () => {
    const publisher = await join('ext_1');
    await publish(publisher, 'microphone');
    publisher.sender.tracks[0]?.receiveRtp();
    await publish(publisher, 'camera');
    await plane.quiet();
    expect(plane.factTypesOf('ext_1')).toEqual([]);
    publisher.sender.tracks[1]?.receiveRtp();
    await plane.quiet();
    expect(plane.factsOf('ext_1')).toHaveLength(1);
    expect(plane.factsOf('ext_1')[0]).toMatchObject({
      type: 'external_session.active',
      tracks: [{ kind: 'audio', codec: 'opus', state: 'live' }, { kind: 'video' }],
    });
    expect(await command(sfuCommands.inventory, {})).toMatchObject({ members: [], sessions: [{ state: 'active' }] });
    publisher.sender.peerVanishes();
    await plane.quiet();
    expect(plane.factTypesOf('ext_1').slice(1)).toEqual(['external_session.interrupted']);
    publisher.sender.peerConnects();
    await plane.quiet();
    expect(plane.factTypesOf('ext_1').slice(2)).toEqual(['external_session.active']);
  });

  it('says again what its tracks are when one is paused or closed', async () => {
    const publisher = await join('ext_1');
    const [, { trackID }] = [await publish(publisher, 'microphone'), await publish(publisher, 'camera')];
    for (const track of publisher.sender.tracks) track.receiveRtp();
    await command(sfuCommands.pauseTrack, { trackID });
    await command(sfuCommands.closeTrack, { trackID });
    await plane.quiet();
    const states = plane.factsOf('ext_1').map(fact => 'tracks' in fact && fact.tracks.map(({ state }) => state));
    expect(states).toEqual([['live', 'live'], ['live', 'paused'], ['live']]);
  });

  it('has one publisher, one track of a kind, and none that it did not ask for', async () => {
    const publisher = await join('ext_1');
    await publish(publisher, 'camera');
    await expect(publish(publisher, 'screen')).rejects.toMatchObject({ failure: { reason: 'already_publishing' } });
    await node.openSession('ext_2', ['audio']);
    const other = await join('ext_2');
    await expect(publish(other, 'camera')).rejects.toMatchObject({ failure: { reason: 'invalid_request' } });
  });

  it('is watched and fed as if it came by WHIP', async () => {
    const publisher = await join('ext_1');
    for (const source of ['microphone', 'camera'] as const) await publish(publisher, source);
    for (const track of publisher.sender.tracks) track.receiveRtp();
    await node.openPlayback('play_1', 'ext_1');
    await request(node.server)
      .post('/whep/play_1')
      .set('Authorization', `Bearer ${await plane.playbackToken('play_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumWatches())
      .expect(201);
    const [viewer] = node.engine.viewers;
    viewer?.peerConnects();
    expect([...(viewer?.sent ?? [])].map(({ trackID }) => trackID).sort()).toEqual(
      publisher.sender.tracks.map(({ trackID }) => trackID).sort(),
    );
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
    await command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'ext_1', destinations });
    publisher.sender.peerVanishes();
    await plane.quiet();
    expect(node.engine.feeds).toEqual([]);
  });

  it('keeps a WHIP publisher out, and is kept out by one', async () => {
    const publisher = await join('ext_1');
    await publish(publisher, 'camera');
    await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${await plane.ingestToken('ext_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishes())
      .expect(409);
    await command(sfuCommands.closeMember, { participantID: 'ext_1' });
    await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${await plane.ingestToken('ext_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishes())
      .expect(201);
    await expect(publish(await join('ext_1'), 'camera')).rejects.toMatchObject({
      failure: { reason: 'already_publishing' },
    });
  });

  it('ends with what the publisher had', async () => {
    const publisher = await join('ext_1');
    await publish(publisher, 'camera');
    await command(sfuCommands.closeSession, { sessionID: 'ext_1' });
    expect(publisher.sender.state).toBe('closed');
    expect(node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
  });

  it('is interrupted when the publisher opens its media anew, and active again after it', async () => {
    const publisher = await join('ext_1');
    for (const source of ['microphone', 'camera'] as const) await publish(publisher, source);
    for (const track of publisher.sender.tracks) track.receiveRtp();
    await plane.quiet();
    const again = await join('ext_1');
    for (const source of ['microphone', 'camera'] as const) await publish(again, source);
    for (const track of again.sender.tracks) track.receiveRtp();
    await plane.quiet();
    expect(plane.factTypesOf('ext_1')).toEqual([
      'external_session.active',
      'external_session.interrupted',
      'external_session.active',
    ]);
  });
});

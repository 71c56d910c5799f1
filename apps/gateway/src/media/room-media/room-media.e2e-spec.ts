import type { RoomEvent } from '@rtms/contracts';
import { audioTrack, videoTrack } from '../../testing/fake-sfu.js';
import type { RoomClient } from '../../testing/room-client.js';
import { RoomTestBed } from '../../testing/room-test-bed.js';

const isWithoutTracks = (event: RoomEvent): boolean =>
  event.type === 'participant.changed' && event.participant.tracks.length === 0;

describe('the media of members', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  const openSender = async (client: RoomClient): Promise<string> => {
    await client.must('media.open', {});
    return (await client.must('media.openTransport', { direction: 'send' })).transportID;
  };
  const publish = async (client: RoomClient, source: 'camera' | 'microphone' = 'camera'): Promise<string> => {
    const transportID = await openSender(client);
    return (await client.must('media.publish', { transportID, source, rtpParameters: {} })).trackID;
  };

  it('is opened on a node with the limits of the settings', async () => {
    const { host, meetingID } = await bed.openRoom({}, { audioSetting: 'allow', targetResolution: 'sd' });
    expect(await host.must('media.open', {})).toMatchObject({ routerRtpCapabilities: { codecs: [] }, maxHeight: 480 });
    expect(bed.sfu.received('member.open')).toContainEqual({ meetingID, participantID: host.id });
  });

  it('shows a track in the roster until it is closed', async () => {
    const { host, meetingID } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    const trackID = await publish(guest);
    const track = { trackID, kind: 'video', source: 'camera', codec: 'VP8', state: 'live' };
    await host.next('participant.changed', ({ participant }) => participant.tracks.length === 1);
    expect(host.all('participant.changed').at(-1)?.participant.tracks).toEqual([track]);
    await guest.must('media.closeTrack', { trackID });
    await host.next(
      'participant.changed',
      ({ participant, sequence }) => participant.tracks.length === 0 && sequence > 3,
    );
    expect(bed.sfu.received('track.close')).toContainEqual({ trackID });
  });

  it('passes the bitrate limit of the settings to the node', async () => {
    const { host } = await bed.openRoom({}, { audioSetting: 'allow', targetResolution: 'hd' });
    await publish(host);
    expect(bed.sfu.received('track.publish').at(-1)).toMatchObject({ participantID: host.id, maxBitrate: 5_820_000 });
  });

  it('refuses what the settings disallow, until a host allows it', async () => {
    const { host, meetingID } = await bed.openRoom({}, { audioSetting: 'approval', videoSetting: 'disallow' });
    const guest = await bed.join(bed.other, meetingID);
    const transportID = await openSender(guest);
    const microphone = { transportID, source: 'microphone' as const, rtpParameters: {} };
    expect(await guest.send('media.publish', microphone)).toMatchObject({ success: false, reason: 'not_permitted' });
    expect(await guest.must('participant.request', { request: 'audio' })).toMatchObject({ status: 'pending' });
    await host.next('participant.changed', ({ participant }) => participant.requests.includes('audio'));
    await host.must('request.decide', { participantID: guest.id, request: 'audio', accept: true });
    expect(await guest.send('media.publish', microphone)).toMatchObject({ success: true });
    const camera = { transportID, source: 'camera' as const, rtpParameters: {} };
    expect(await guest.send('media.publish', camera)).toMatchObject({ success: false, reason: 'not_permitted' });
  });

  it('lets a host mute a member, and only the member resume', async () => {
    const { host, meetingID } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    const trackID = await publish(guest, 'microphone');
    await host.must('participant.mute', { participantID: guest.id, source: 'microphone' });
    await guest.next('participant.changed', ({ participant }) => participant.tracks[0]?.state === 'paused');
    expect(bed.sfu.received('track.pause')).toContainEqual({ trackID });
    expect(await host.send('media.resumeTrack', { trackID })).toMatchObject({ success: false, reason: 'not_found' });
    await guest.must('media.resumeTrack', { trackID });
    expect(await guest.send('participant.mute', { participantID: host.id, source: 'microphone' })).toMatchObject({
      reason: 'not_permitted',
    });
  });

  it('lets a host mute an external session, in the roster and in the API', async () => {
    const { host, meetingID } = await bed.openRoom();
    const sessionID = await bed.openSession(meetingID);
    await bed.sfu.activate(sessionID);
    const { participant } = await host.next('participant.joined', each => each.participant.tracks.length === 2);
    const { participantID } = participant;
    await host.must('participant.mute', { participantID, source: 'microphone' });
    const paused = { ...audioTrack, state: 'paused' as const };
    expect(bed.sfu.received('track.pause')).toContainEqual({ trackID: paused.trackID });
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks: [videoTrack, paused] });
    await host.next(
      'participant.changed',
      ({ participant: { tracks } }) => tracks.map(({ state }) => state).join() === 'live,paused',
    );
    expect((await bed.session(meetingID, sessionID)).tracks[1]?.state).toBe('paused');
  });

  it('signals events of the node to the affected members', async () => {
    const { host, meetingID } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    const trackID = await publish(guest);
    bed.sfu.tell({ type: 'speaker.changed', meetingID, participantID: guest.id });
    bed.sfu.tell({ type: 'subscription.ended', meetingID, participantID: host.id, subscriptionID: 'sub_1' });
    await Promise.all([host.signals.atLeast(2), guest.signals.atLeast(1)]);
    expect(host.signals.all).toEqual([
      { type: 'speaker.changed', participantID: guest.id },
      { type: 'subscription.ended', subscriptionID: 'sub_1' },
    ]);
    expect(guest.signals.all).toEqual([{ type: 'speaker.changed', participantID: guest.id }]);
    const ended = host.log.next(isWithoutTracks);
    bed.sfu.tell({ type: 'track.ended', meetingID, participantID: guest.id, trackID });
    await ended;
  });

  it('is closed on the node when a member leaves, and with the room', async () => {
    const { host, meetingID } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await publish(guest);
    await guest.must('leave', {});
    await bed.sfu.command('member.close', each => each['participantID'] === guest.id);
    await bed.post('/v1/rooms', { action: 'end', meetingID });
    expect(await host.farewell()).toBe('requested');
    await bed.sfu.command('room.close', each => each['meetingID'] === meetingID);
  });

  it('is refused in a chat room', async () => {
    const { host } = await bed.openRoom({ eventType: 'chat' });
    expect(await host.send('media.open', {})).toMatchObject({ success: false, reason: 'not_permitted' });
  });

  it('signals the loss of a node, and opens on another node', async () => {
    const { host, meetingID } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await publish(guest);
    const ended = host.log.next(isWithoutTracks);
    await bed.sfu.restart();
    await Promise.all([host, guest].map(each => each.signals.find(signal => signal.type === 'media.lost')));
    await ended;
    expect(await guest.send('media.open', {})).toMatchObject({ success: true });
  });
});

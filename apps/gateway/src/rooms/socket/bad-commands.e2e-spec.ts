import { systemClock } from '@rtms/clock';
import type { JoinToken } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { TokenSigner, generateSigningKey } from '@rtms/tokens';
import type { Socket } from 'socket.io-client';
import { DataSource } from 'typeorm';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import { RoomClient } from '../../testing/room-client.js';
import { RoomTestBed } from '../../testing/room-test-bed.js';

describe('a hostile socket client', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    bed = await RoomTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  const seconds = (): number => Math.floor(Date.now() / 1000);
  const sign = async (claims: object): Promise<string> => {
    const signer = await bed.one.app.get(SigningKeysService, { strict: false }).signer();
    return signer.sign({ purpose: 'join', expiresAt: seconds() + 60, role: 'host', ...claims } as JoinToken);
  };

  describe('is refused', () => {
    it.each([
      ['without a token', {}],
      ['with no text for a token', { token: 7 }],
      ['with an endless token', { token: 'a'.repeat(5000) }],
      ['with a token whose length is no number', { token: { length: { toString: '' } } }],
      ['with nonsense', { token: 'a.b.c' }],
      ['with a place in the log that is none', { token: 'a', after: -1 }],
    ])('%s', async (_case, auth) => {
      expect(await RoomClient.refusal(bed.one.url, auth)).toMatchObject({ code: 'UNAUTHORIZED' });
    });

    it('with a forged token', async () => {
      const { meetingID } = await bed.createRoom();
      const signer = new TokenSigner(await generateSigningKey(), systemClock);
      const claims = {
        purpose: 'join',
        resourceID: 'part_x',
        meetingID,
        expiresAt: seconds() + 60,
        role: 'host',
      } as const;
      const token = await signer.sign(claims);
      expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'invalid_credentials' });
    });

    it('with an expired token', async () => {
      const { meetingID } = await bed.createRoom();
      const token = await sign({ resourceID: 'part_x', meetingID, expiresAt: seconds() - 1 });
      expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'token_expired' });
    });

    it('with a token for another purpose', async () => {
      const { meetingID } = await bed.createRoom();
      const token = await sign({ purpose: 'ingest', resourceID: 'ext_x', meetingID });
      expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'invalid_credentials' });
    });

    it('with a token of an unknown session', async () => {
      const { meetingID } = await bed.createRoom();
      const token = await sign({ resourceID: 'ext_x', meetingID });
      expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'session_ended' });
    });

    it('in a full room, with a ticket whose place was freed and taken', async () => {
      const { meetingID } = await bed.createRoom({ capacity: 2 });
      const { token } = await bed.ticket(meetingID);
      const giveUp = `UPDATE participants SET state = 'left', leave_reason = 'participant_lost', grace_until = NULL WHERE meeting_id = $1`;
      await bed.one.app.get(DataSource).query(giveUp, [meetingID]);
      await bed.ticket(meetingID);
      expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'capacity_reached' });
    });

    it('without a WebSocket, or at another path', async () => {
      const answer = await bed.one.http.get('/v1/socket?EIO=4&transport=polling');
      expect([answer.status, (answer.body as { success: boolean }).success]).toEqual([401, false]);
      await expect(fetch(`${bed.one.url}/socket.io/?EIO=4&transport=websocket`)).resolves.toMatchObject({
        status: 404,
      });
    });
  });

  describe('gets an error and changes nothing', () => {
    const members = async (role = 'participant') => {
      const { meetingID, host } = await bed.openRoom();
      return { meetingID, host, guest: await bed.join(bed.other, meetingID, role) };
    };

    it.each<[string, unknown, string]>([
      ['nothing', undefined, 'invalid_request'],
      ['a list', [], 'invalid_request'],
      ['a name that is no command', { commandID: 'a', name: '__proto__', request: {} }, 'unknown_action'],
      ['a command without a name of its own', { name: 'leave', request: {} }, 'invalid_request'],
      [
        'a forged sender',
        { commandID: 'a', name: 'chat.send', request: { message: 'x', senderID: 'part_x' } },
        'invalid_request',
      ],
      ['a forged role', { commandID: 'a', name: 'leave', request: {}, role: 'host' }, 'invalid_request'],
      ['an empty message', { commandID: 'a', name: 'chat.send', request: { message: ' ' } }, 'invalid_request'],
      [
        'a long message',
        { commandID: 'a', name: 'chat.send', request: { message: 'x'.repeat(2001) } },
        'invalid_request',
      ],
      ['a NUL', { commandID: 'a', name: 'chat.send', request: { message: 'a\0' } }, 'invalid_request'],
      ['bytes', { commandID: 'a', name: 'chat.send', request: { message: Buffer.from('hi') } }, 'invalid_request'],
      [
        'chat to nobody',
        { commandID: 'a', name: 'chat.send', request: { message: 'x', recipientID: 'part_x' } },
        'not_found',
      ],
      [
        'a vote in no poll',
        { commandID: 'a', name: 'poll.vote', request: { pollID: 'poll_x', choice: 0 } },
        'not_found',
      ],
      [
        'a vote below',
        { commandID: 'a', name: 'poll.vote', request: { pollID: 'poll_x', choice: -1 } },
        'invalid_request',
      ],
      [
        'a poll',
        { commandID: 'a', name: 'poll.create', request: { question: 'q', options: ['a', 'b'] } },
        'not_permitted',
      ],
      [
        'a decision',
        { commandID: 'a', name: 'request.decide', request: { participantID: 'p', request: 'audio', accept: true } },
        'not_permitted',
      ],
      ['an admission', { commandID: 'a', name: 'participant.admit', request: { participantID: 'p' } }, 'not_permitted'],
      ['a track of nobody', { commandID: 'a', name: 'media.pauseTrack', request: { trackID: 'trk_x' } }, 'not_found'],
    ])('%s', async (_case, command, reason) => {
      const { host, guest } = await members();
      expect(await guest.sendRaw(command)).toMatchObject({ success: false, reason });
      await guest.must('chat.send', { message: 'last' });
      await host.next('chat.message');
      expect(host.events.map(event => event.type)).toEqual(['participant.joined', 'chat.message']);
    });

    it('for a participant of another room', async () => {
      const { guest } = await members();
      const { host: stranger, guest: other } = await members();
      for (const answer of [
        await stranger.send('participant.remove', { participantID: guest.id }),
        await stranger.send('breakout.assign', { participantID: guest.id, breakout: 'x' }),
        await stranger.send('participant.mute', { participantID: guest.id, source: 'camera' }),
        await other.send('chat.send', { message: 'psst', recipientID: guest.id }),
      ])
        expect(answer).toMatchObject({ success: false, reason: 'not_found' });
      expect(await guest.send('chat.send', { message: 'still here' })).toMatchObject({ success: true });
    });

    it('for a track of another participant', async () => {
      const { host, guest } = await members();
      await host.must('media.open', {});
      const { transportID } = await host.must('media.openTransport', { direction: 'send' });
      const { trackID } = await host.must('media.publish', { transportID, source: 'camera', rtpParameters: {} });
      expect(await guest.send('media.pauseTrack', { trackID })).toMatchObject({ reason: 'not_found' });
      expect(await guest.send('media.closeTrack', { trackID })).toMatchObject({ success: true });
      expect(bed.sfu.received('track.close')).not.toContainEqual({ trackID });
    });

    it('as a co-host against a host', async () => {
      const { meetingID, host } = await bed.openRoom(
        {},
        { addCoHost: true, audioSetting: 'allow', videoSetting: 'allow' },
      );
      const cohost = await bed.join(bed.other, meetingID, 'cohost');
      expect(await cohost.send('participant.remove', { participantID: host.id })).toMatchObject({
        reason: 'not_permitted',
      });
      expect(await cohost.send('participant.remove', { participantID: cohost.id })).toMatchObject({ success: false });
    });
  });

  it('gets the same reply to a repeated command, which runs once', async () => {
    const { host } = await bed.openRoom();
    const [one, other] = await Promise.all([
      host.send('chat.send', { message: 'once' }, 'the-same'),
      host.send('chat.send', { message: 'once' }, 'the-same'),
    ]);
    expect(one).toMatchObject({ success: true });
    expect(other).toEqual(one);
    await host.must('chat.send', { message: 'end' });
    await host.next('chat.message', ({ message }) => message.message === 'end');
    expect(host.all('chat.message')).toHaveLength(2);
    expect(await host.send('leave', {}, 'the-same')).toMatchObject({ reason: 'idempotency_key_reused' });
  });

  it('is disconnected for a message that is too large, and the others stay', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    guest.socket.emit('command', { message: 'x'.repeat(100_000) } as never, () => undefined);
    await guest.disconnected();
    await host.next('participant.changed', ({ participant }) => !participant.isConnected);
    expect(await host.send('chat.send', { message: 'here' })).toMatchObject({ success: true });
  });

  it('is slowed down when it floods, then disconnected', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    const answers: unknown[] = [];
    // Repeats the flood, since a pause between commands refills some of the allowance.
    const flood = (): boolean => {
      for (let index = 0; index < 400 && guest.socket.connected; index += 1)
        guest.socket.emit('command', { commandID: 'x' } as never, answer => answers.push(answer));
      return guest.socket.disconnected;
    };
    await waitFor(flood, { what: 'it to be thrown out' });
    expect(answers).toContainEqual(expect.objectContaining({ code: 'RATE_LIMITED', reason: 'rate_limited' }));
    expect(await host.send('chat.send', { message: 'here' })).toMatchObject({ success: true });
  });

  it('gets no reply to unknown messages', async () => {
    const { host } = await bed.openRoom();
    const socket = host.socket as unknown as Socket;
    const answer: unknown = await socket.timeout(60_000).emitWithAck('admin', {});
    expect(answer).toMatchObject({ success: false, reason: 'invalid_request' });
  });
});

import type { SocketAnswer, SocketCommand } from '@rtms/contracts';
import fc from 'fast-check';
import { RtmsError } from './signalling/rtms-error.js';
import { chatEvent, type FakeConnection } from './testing/fake-server.js';
import { joinedSession, makeSession, settled, type TestSession } from './testing/test-session.js';

const refusal = (code: 'UNAUTHORIZED' | 'CONFLICT', reason: 'token_expired' | 'room_ended') =>
  new RtmsError(code, 'No.', reason);

function heardOf({ session }: TestSession): number[] {
  const heard: number[] = [];
  session.events.on('chat.message', ({ sequence }) => heard.push(sequence));
  return heard;
}

describe('joining', () => {
  it('sends the token and resolves with the welcome', async () => {
    const { session, server } = await joinedSession();
    expect(server.last.auth).toEqual({ token: 'first-token' });
    expect(session.participantID).toBe('part_me');
    expect(session.connectionState).toBe('connected');
  });

  it('fails with the error of the service', async () => {
    const { session, server } = makeSession();
    const joining = session.join(15_000);
    server.last.listener.onRefused(refusal('CONFLICT', 'room_ended'));
    await expect(joining).rejects.toMatchObject({ code: 'CONFLICT', reason: 'room_ended' });
    expect(session.connectionState).toBe('closed');
  });

  it('retries until its timeout, and then gives up', async () => {
    const { session, server, clock } = makeSession();
    const joining = session.join(15_000);
    const failure = joining.catch((error: unknown) => error);
    for (let second = 0; second < 15; second += 1) {
      if (!server.last.isClosed) server.last.listener.onLost();
      await clock.advance(1_000);
    }
    expect(await failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(server.connections.length).toBeGreaterThan(3);
    expect(clock.pending).toBe(0);
  });
});

describe('a lost connection', () => {
  it('is followed by another one after the last event, with the newest token', async () => {
    const { session, server, clock } = await joinedSession();
    server.last.listener.onEvent(chatEvent(1));
    server.last.listener.onEvent(chatEvent(4));
    server.last.listener.onToken({ token: 'second-token', expiresAt: '' });
    server.last.listener.onLost();
    expect(session.connectionState).toBe('reconnecting');
    await clock.advance(500);
    expect(server.last.auth).toEqual({ token: 'second-token', after: 4 });
    server.last.listener.onWelcome({ participantID: 'part_me', role: 'participant', sequence: 4 });
    expect(session.connectionState).toBe('connected');
    expect(session.state.chat).toHaveLength(2);
  });

  it('causes no further events', async () => {
    const { session, server, clock } = await joinedSession();
    const former = server.last;
    former.listener.onLost();
    await clock.advance(500);
    former.listener.onEvent(chatEvent(1));
    former.listener.onFarewell({ reason: 'replaced' });
    expect(session.state.sequence).toBe(0);
    expect(session.connectionState).toBe('reconnecting');
  });

  it('may be followed by a new snapshot', async () => {
    const { session, server, clock } = await joinedSession();
    server.last.listener.onEvent(chatEvent(1));
    server.last.listener.onLost();
    await clock.advance(500);
    server.last.welcome({ sequence: 9_000 });
    expect(session.state).toMatchObject({ sequence: 9_000, chat: [] });
  });

  it('is replaced at once when the network returns', async () => {
    const { session, server } = await joinedSession();
    server.last.listener.onLost();
    session.hurry();
    expect(server.connections).toHaveLength(2);
    session.hurry();
    expect(server.connections).toHaveLength(2);
  });

  it('requests one token from the page after the last one expired', async () => {
    const tokens = ['new-token'];
    const test = await joinedSession({ renewToken: () => Promise.resolve(tokens.shift() ?? 'none') });
    const { session, server, clock } = test;
    const ends: unknown[] = [];
    session.events.on('farewell', end => ends.push(end));
    server.last.listener.onLost();
    await clock.advance(500);
    server.last.listener.onRefused(refusal('UNAUTHORIZED', 'token_expired'));
    await settled();
    expect(server.last.auth).toEqual({ token: 'new-token', after: 0 });
    server.last.listener.onRefused(refusal('UNAUTHORIZED', 'token_expired'));
    await settled();
    expect(ends).toMatchObject([{ error: { reason: 'token_expired' } }]);
    expect(session.connectionState).toBe('closed');
  });
});

describe('a command', () => {
  const commandsOf = ({ commands }: FakeConnection): SocketCommand[] => commands.map(({ command }) => command);

  it('waits for a connection and is repeated with its ID until it is answered', async () => {
    const { session, server, clock } = await joinedSession();
    const sent = session.send('chat.send', { message: 'hello' });
    const [first] = commandsOf(server.last);
    server.last.listener.onLost();
    const later = session.send('poll.vote', { pollID: 'poll_1', choice: 0 });
    await clock.advance(500);
    server.last.listener.onWelcome({ participantID: 'part_me', role: 'participant', sequence: 0 });
    const [again, second] = commandsOf(server.last);
    expect(again).toEqual(first);
    expect(second?.name).toBe('poll.vote');
    server.last.commands[0]?.answer({ success: true, messageID: 'msg_1' });
    server.last.commands[1]?.answer({ success: false, error: 'Late.', code: 'CONFLICT', reason: 'poll_ended' });
    expect(await sent).toEqual({ messageID: 'msg_1' });
    await expect(later).rejects.toMatchObject({ code: 'CONFLICT', reason: 'poll_ended', message: 'Late.' });
  });

  it('of media is retried when it is rate-limited, and of a person is refused', async () => {
    const { session, server, clock } = await joinedSession();
    const busy: SocketAnswer<never> = { success: false, error: 'Slow.', code: 'RATE_LIMITED', reason: 'rate_limited' };
    const chat = session.send('chat.send', { message: 'hello' });
    server.last.commands[0]?.answer(busy);
    await expect(chat).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const media = session.send('media.unsubscribe', { subscriptionID: 'sub_1' });
    server.last.commands[1]?.answer(busy);
    await clock.advance(500);
    expect(server.last.commands).toHaveLength(3);
    server.last.commands[2]?.answer({ success: true });
    expect(await media).toEqual({});
  });

  it('fails after the room has ended', async () => {
    const { session, server } = await joinedSession();
    const sent = session.send('chat.send', { message: 'hello' });
    server.last.listener.onFarewell({ reason: 'room_ended' });
    await expect(sent).rejects.toMatchObject({ reason: 'connection_closed' });
    await expect(session.send('chat.send', { message: 'hello' })).rejects.toBeInstanceOf(RtmsError);
  });
});

describe('leaving', () => {
  it('tells the service and closes, twice without harm', async () => {
    const { session, server, clock } = await joinedSession();
    const ends: unknown[] = [];
    session.events.on('farewell', end => ends.push(end));
    const leaving = [session.leave(), session.leave()];
    expect(server.names()).toEqual(['leave']);
    server.last.listener.onFarewell({ reason: 'participant_left' });
    await Promise.all(leaving);
    session.close();
    expect(ends).toEqual([{ reason: 'participant_left' }]);
    expect(server.last.isClosed).toBe(true);
    await clock.advance(60_000);
    expect(server.connections).toHaveLength(1);
  });

  it('waits at most 3 s without a connection', async () => {
    const { session, server, clock } = await joinedSession();
    server.last.listener.onLost();
    const leaving = session.leave();
    await clock.advance(3_000);
    await leaving;
    expect(session.connectionState).toBe('closed');
    expect(clock.pending).toBe(0);
  });
});

/** Events between a member and its room. */
type Step =
  | { do: 'event' }
  | { do: 'break'; swallowed: number }
  | { do: 'repeat'; back: number }
  | { do: 'command'; isAnswerLost: boolean };

describe('through any losses and repeats', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constant({ do: 'event' as const }),
    fc.record({ do: fc.constant('break' as const), swallowed: fc.nat(3) }),
    fc.record({ do: fc.constant('repeat' as const), back: fc.nat(4) }),
    fc.record({ do: fc.constant('command' as const), isAnswerLost: fc.boolean() }),
  );

  /** Counts over all runs, to prove that the property reached its cases. */
  const reached = { steps: 0, swallowed: 0, repeated: 0, lostAnswers: 0, mostReconnects: 0 };

  it('each event is applied once, in order, and each command done once and answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const test = await joinedSession();
        const { session, server, clock } = test;
        const heard = heardOf(test);
        const done = new Map<string, number>();
        const replies: Promise<unknown>[] = [];
        let logged = 0;
        let isAnswerLost = false;
        server.onCommand = ({ commandID }, answer) => {
          if (!done.has(commandID)) done.set(commandID, done.size);
          if (!isAnswerLost) answer({ success: true, messageID: `msg_${done.get(commandID)}` });
        };
        const reconnect = async () => {
          server.last.listener.onLost();
          await clock.advance(500);
          isAnswerLost = false;
          const after = server.last.auth.after ?? 0;
          server.last.listener.onWelcome({ participantID: 'part_me', role: 'participant', sequence: after });
          for (let sequence = after + 1; sequence <= logged; sequence += 1)
            server.last.listener.onEvent(chatEvent(sequence));
        };
        reached.steps = Math.max(reached.steps, steps.length);
        for (const each of steps) {
          if (each.do === 'event') server.last.listener.onEvent(chatEvent((logged += 1)));
          if (each.do === 'repeat')
            for (let sequence = Math.max(1, logged - each.back); sequence <= logged; sequence += 1) {
              reached.repeated += 1;
              server.last.listener.onEvent(chatEvent(sequence));
            }
          if (each.do === 'break') {
            reached.swallowed += each.swallowed;
            logged += each.swallowed;
            await reconnect();
          }
          if (each.do === 'command') {
            isAnswerLost = each.isAnswerLost;
            if (isAnswerLost) reached.lostAnswers += 1;
            replies.push(session.send('chat.send', { message: 'hello' }));
          }
        }
        await reconnect();
        expect(heard).toEqual(Array.from({ length: logged }, (_, index) => index + 1));
        expect(session.state.chat).toHaveLength(logged);
        expect(await Promise.all(replies)).toEqual(replies.map((_, index) => ({ messageID: `msg_${index}` })));
        reached.mostReconnects = Math.max(reached.mostReconnects, server.connections.length);
        session.close();
      }),
      { numRuns: 100 },
    );
    expect(reached.steps).toBeGreaterThan(40);
    expect(reached.swallowed).toBeGreaterThan(100);
    expect(reached.repeated).toBeGreaterThan(100);
    expect(reached.lostAnswers).toBeGreaterThan(100);
    expect(reached.mostReconnects).toBeGreaterThan(5);
  });
});

/** @seconds 14 */
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { graceMs, MediaTestBed, reconcileMs, rtmpTarget } from '../../testing/media-test-bed.js';
import type { TestAccount } from '../../testing/start-test-gateway.js';

describe('restreams', () => {
  let bed: MediaTestBed;
  let sessionID: string;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  beforeEach(async () => {
    bed.meetingID = await bed.createRoom();
    sessionID = await bed.openActiveSession();
  });
  afterEach(() => bed.endRoom());
  afterAll(() => bed?.close());

  const key = rtmpTarget.streamKey;
  const openActive = async (): Promise<string> => {
    const restreamID = await bed.openRestream(sessionID);
    await bed.transcoder.reachTarget(restreamID);
    await bed.expectState('restreams', restreamID, 'active');
    return restreamID;
  };

  describe('a restream', () => {
    it('starts on a transcoder with its key, which no answer contains', async () => {
      const created = await bed.post('restreams', { sourceSessionID: sessionID, target: rtmpTarget });
      expect(created).toMatchObject({
        status: 201,
        body: {
          restream: {
            restreamID: expect.stringMatching(/^rstr_/),
            sourceSessionID: sessionID,
            target: { protocol: 'rtmps', url: 'rtmps://live.example.com/app' },
            state: 'connecting',
            retryCount: 0,
            lastProblem: null,
            endReason: null,
          },
        },
      });
      const { restreamID } = created.body['restream'] as { restreamID: string };
      expect(bed.transcoder.restreamed.at(-1)).toEqual({
        ...{ restreamID, meetingID: bed.meetingID, sourceID: sessionID, sfuNodeID: 'sfu-1' },
        ...{ tracks: ['video', 'audio'], target: rtmpTarget, allowsPrivate: false },
      });
      await bed.transcoder.reachTarget(restreamID);
      const active = await bed.expectState('restreams', restreamID, 'active');
      expect(active['activatedAt']).toEqual(expect.any(String));
      const listed = await bed.request('get', bed.path('restreams'));
      expect(listed.body).toMatchObject({ total: 1, restreams: [{ restreamID, state: 'active' }] });
      for (const answer of [created.body, active, listed.body]) expect(JSON.stringify(answer)).not.toContain(key);
    });

    it('stores the key only encrypted, and removes it at the end', async () => {
      const restreamID = await openActive();
      const read = async () => {
        const rows = await bed.gateway.app
          .get(DataSource)
          .query<{ encrypted_target_secrets: Buffer | null }[]>('SELECT * FROM restreams WHERE id = $1', [restreamID]);
        return rows[0]!;
      };
      const row = await read();
      expect(row.encrypted_target_secrets!.toString('latin1')).not.toContain(key);
      expect(JSON.stringify({ ...row, encrypted_target_secrets: null })).not.toContain(key);
      await bed.remove('restreams', restreamID);
      expect((await read()).encrypted_target_secrets).toBeNull();
    });

    it('shows the attempts and the problem, and says what to do', async () => {
      const restreamID = await openActive();
      await bed.transcoder.report(restreamID, { type: 'restream.retrying', problem: 'target_refused', retries: 3 });
      expect(await bed.expectState('restreams', restreamID, 'retrying')).toMatchObject({
        retryCount: 3,
        lastProblem: {
          reason: 'target_refused',
          message: expect.stringContaining('Check streamKey'),
          at: expect.any(String),
        },
      });
      await bed.transcoder.report(restreamID, {
        type: 'restream.failed',
        reason: 'target_refused',
        problem: 'target_refused',
      });
      expect(await bed.expectState('restreams', restreamID, 'failed')).toMatchObject({ endReason: 'target_refused' });
    });

    it('ends on request, twice with the same answer', async () => {
      const restreamID = await openActive();
      const first = await bed.remove('restreams', restreamID);
      expect(first).toMatchObject({ status: 200, body: { restream: { state: 'ended', endReason: 'requested' } } });
      expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
      expect((await bed.remove('restreams', restreamID)).body).toEqual(first.body);
    });

    it('is hidden from other accounts', async () => {
      const restreamID = await openActive();
      const other: TestAccount = await bed.gateway.makeAccount();
      for (const method of ['get', 'delete'] as const)
        expect(await bed.request(method, bed.path('restreams', restreamID), undefined, other)).toMatchObject({
          status: 404,
        });
    });

    it('keeps its source from being deleted, and ends with the room before its source', async () => {
      const restreamID = await openActive();
      expect(await bed.remove('external-sessions', sessionID)).toMatchObject({
        status: 409,
        body: { reason: 'has_dependents' },
      });
      await bed.endRoom();
      expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'ended', endReason: 'room_ended' });
      expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
    });

    it('is in the log of events without address and key', async () => {
      const restreamID = await openActive();
      await bed.transcoder.report(restreamID, { type: 'restream.retrying', problem: 'target_closed', retries: 1 });
      await bed.remove('restreams', restreamID);
      await bed.advance(1_000);
      const { body } = await bed.request('get', '/v1/events?types=restream.*&pageSize=100');
      const events = (body['events'] as { type: string; resource: { id: string }; data: object }[]).filter(
        ({ resource }) => resource.id === restreamID,
      );
      expect(events.map(({ type }) => type)).toEqual([
        'restream.created',
        'restream.active',
        'restream.retrying',
        'restream.ended',
      ]);
      expect(events[2]!.data).toMatchObject({ target: { protocol: 'rtmps' }, problem: 'target_closed', retryCount: 1 });
      expect(JSON.stringify(events)).not.toMatch(/live\.example\.com|live_key/);
    });
  });

  describe('a restream is refused', () => {
    const post = (target: object) => bed.post('restreams', { sourceSessionID: sessionID, target });

    it.each([
      [{ ...rtmpTarget, url: 'rtmp://live.example.com/app' }, /url must begin with rtmps:/],
      [{ ...rtmpTarget, url: 'rtmps://live.example.com' }, /application/],
      [{ ...rtmpTarget, url: 'rtmps://user:pass@live.example.com/app' }, /password/],
      [{ ...rtmpTarget, url: 'rtmps://live.example.com/app?key=1' }, /parameters/],
      [{ ...rtmpTarget, url: 'rtmps://127.0.0.1/app' }, /public address/],
      [{ ...rtmpTarget, url: 'rtmps://127.1/app' }, /public address/],
      [{ ...rtmpTarget, url: 'rtmps://[::1]/app' }, /public address/],
      [{ ...rtmpTarget, url: 'rtmps://169.254.169.254/app' }, /public address/],
      [{ ...rtmpTarget, url: 'rtmps://localhost/app' }, /public address/],
      [{ ...rtmpTarget, url: 'rtmps://under_score./app' }, /host/],
      [{ ...rtmpTarget, streamKey: 'two\nlines' }, /streamKey must be/],
      [{ ...rtmpTarget, passphrase: 'long-enough-1' }, /passphrase is for SRT/],
      [{ protocol: 'rtmp', url: 'rtmp://live.example.com/app' }, /streamKey is required/],
      [{ protocol: 'srt', url: 'srt://live.example.com' }, /port/],
      [{ protocol: 'srt', url: 'srt://live.example.com:9000?streamid=x' }, /parameters/],
      [{ protocol: 'srt', url: 'srt://live.example.com:9000', passphrase: 'short' }, /passphrase must be/],
      [{ protocol: 'whip', url: 'http://live.example.com/whip' }, /url must begin with https:/],
      [{ protocol: 'file', url: 'file:///etc/passwd' }, /protocol must be one of/],
    ])('for the target %j', async (target, message) => {
      const { status, body } = await post(target);
      expect(status).toBe(400);
      expect(body.error).toMatch(message);
      expect(body.error).not.toContain(key);
    });

    it('without an active source, and leaves no row', async () => {
      const pending = await bed.openSession();
      expect(await bed.post('restreams', { sourceSessionID: pending, target: rtmpTarget })).toMatchObject({
        status: 409,
        body: { reason: 'source_not_active' },
      });
      expect((await bed.request('get', bed.path('restreams'))).body['total']).toBe(0);
    });

    it('above the limit of the session', async () => {
      for (let i = 0; i < 10; i++) await bed.openRestream(sessionID);
      const refused = await bed.post('restreams', { sourceSessionID: sessionID, target: rtmpTarget });
      expect(refused).toMatchObject({ status: 403, body: { reason: 'limit_reached' } });
      expect(refused.body['limit']).toEqual({ name: 'restreamsPerSession', value: 10 });
    });
  });

  describe('a restream whose source or node is lost', () => {
    it('waits for its source, follows it, and ends with it', async () => {
      const restreamID = await openActive();
      await bed.sfu.loseSource(sessionID);
      expect(await bed.expectState('restreams', restreamID, 'retrying')).toMatchObject({
        lastProblem: { reason: 'source_lost' },
      });
      expect(bed.transcoder.restreams.get(restreamID)?.state).toBe('interrupted');
      await bed.sfu.activate(sessionID, ['video', 'audio']);
      expect(bed.transcoder.received('restream.resume')).toContainEqual({
        ...{ restreamID, sfuNodeID: 'sfu-1', onlyIf: 'interrupted', orElsewhere: true },
      });
      await bed.transcoder.reachTarget(restreamID);
      await bed.expectState('restreams', restreamID, 'active');
      await bed.sfu.loseSource(sessionID);
      await bed.advance(graceMs + 1_000);
      expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    });

    it('resumes although its row became active again by a late fact', async () => {
      const restreamID = await openActive();
      await bed.sfu.loseSource(sessionID);
      await bed.transcoder.report(restreamID, { type: 'restream.active' });
      await bed.expectState('restreams', restreamID, 'active');
      await bed.sfu.activate(sessionID, ['video', 'audio']);
      expect(bed.transcoder.restreams.get(restreamID)?.state).not.toBe('interrupted');
    });

    it('keeps the problem of its target when its source is lost too', async () => {
      const restreamID = await openActive();
      await bed.transcoder.report(restreamID, { type: 'restream.retrying', problem: 'target_refused', retries: 1 });
      await bed.sfu.loseSource(sessionID);
      expect(bed.transcoder.restreams.get(restreamID)?.state).toBe('interrupted');
      expect(await bed.get('restreams', restreamID)).toMatchObject({ lastProblem: { reason: 'target_refused' } });
    });

    it('ends when an older gateway ended only its source', async () => {
      const restreamID = await openActive();
      await bed.gateway.app
        .get(DataSource)
        .query(`UPDATE external_sessions SET state = 'ended', ended_at = now() WHERE id = $1`, [sessionID]);
      await bed.advance(reconcileMs);
      expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
      expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
    });

    it('goes on at another transcoder with its key', async () => {
      const restreamID = await openActive();
      const other = await bed.startTranscoder('transcoder-2');
      await bed.lose(bed.transcoder);
      await bed.advance(reconcileMs);
      expect(other.restreamed).toEqual([expect.objectContaining({ restreamID, target: rtmpTarget })]);
      expect(await bed.get('restreams', restreamID)).toMatchObject({
        state: 'connecting',
        lastProblem: { reason: 'node_lost' },
      });
      await other.reachTarget(restreamID);
      await bed.expectState('restreams', restreamID, 'active');
      await bed.lose(other);
      await bed.restart(bed.transcoder);
    });

    it('fails after the grace time without a transcoder', async () => {
      const restreamID = await openActive();
      await bed.lose(bed.transcoder);
      await bed.advance(reconcileMs);
      await bed.advance(graceMs + reconcileMs);
      expect(await bed.get('restreams', restreamID)).toMatchObject({ state: 'failed', endReason: 'node_lost' });
      await bed.restart(bed.transcoder);
    });

    it('leaves a draining transcoder, which closes its connection first', async () => {
      const restreamID = await openActive();
      const other = await bed.startTranscoder('transcoder-2');
      bed.transcoder.draining = true;
      await bed.transcoder.announce();
      await bed.advance(reconcileMs);
      expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
      expect(other.restreams.get(restreamID)).toMatchObject({ state: 'connecting' });
      bed.transcoder.draining = false;
      await bed.transcoder.announce();
      await bed.remove('restreams', restreamID);
      await bed.lose(other);
    });

    it('stays on a draining transcoder with the others when the next one was refused', async () => {
      const restreamIDs = [await openActive(), await openActive(), await openActive()];
      const other = await bed.startTranscoder('transcoder-2');
      other.refusals.set('restream.start', new ServiceError('capacity_reached', 'All places are taken.'));
      bed.transcoder.draining = true;
      await bed.transcoder.announce();
      await bed.settled();
      expect(other.received('restream.start')).toHaveLength(1);
      expect([...bed.transcoder.restreams.keys()].filter(id => restreamIDs.includes(id))).toHaveLength(2);
      other.refusals.clear();
      bed.transcoder.draining = false;
      await bed.transcoder.announce();
      for (const restreamID of restreamIDs) await bed.remove('restreams', restreamID);
      await bed.lose(other);
    });

    it('is stopped on a node that holds it without a row', async () => {
      const restreamID = await openActive();
      await bed.remove('restreams', restreamID);
      bed.transcoder.restreams.set(restreamID, { restreamID, state: 'active' });
      await bed.advance(reconcileMs);
      expect(bed.transcoder.restreams.has(restreamID)).toBe(false);
    });
  });
});

/** @weight 0.2 for 60 s */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient } from './harness/api-client.js';
import { boundPortsOf, stillBound } from './harness/bound-ports.js';
import { IngestBench } from './harness/ingest-bench.js';
import { usualOffsetOf } from './harness/lip-sync.js';
import { sharedIngestStack } from './harness/shared-stack.js';

const run = promisify(execFile);

describe('publishing by SRT', () => {
  let stack: Awaited<ReturnType<typeof sharedIngestStack>>;
  let bench: IngestBench;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedIngestStack();
    bench = await IngestBench.with(stack);
    api = bench.api;
  });
  afterEach(() => bench?.vanishAll());
  afterAll(() => bench?.close());

  it('takes H264 and AAC, and keeps audio and video together', async () => {
    const { meetingID, session } = await bench.open('srt');
    bench.send(session);
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    const path = await bench.record(meetingID, session.sessionID, 12);
    expect(await usualOffsetOf(path)).toBeLessThanOrEqual(40);
    await bench.soundBecomes(meetingID, session.sessionID);
  });

  it('refuses a wrong passphrase, says so, and then takes the right one', async () => {
    const { meetingID, session } = await bench.open('srt');
    const stranger = bench.send({ ingest: { ...session.ingest, passphrase: 'x'.repeat(32) } });
    expect(await stranger.ended).not.toBe(0);
    await bench.problemBecomes(meetingID, session.sessionID, 'wrong_passphrase');
    bench.send(session);
    const { ingest } = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(ingest.problem).toBeNull();
  });

  it('refuses a second encoder while the first one sends', async () => {
    const { meetingID, session } = await bench.open('srt');
    const first = bench.send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const second = bench.send(session);
    expect(await second.ended).not.toBe(0);
    expect(first.isRunning).toBe(true);
    expect((await api.session(meetingID, session.sessionID)).state).toBe('active');
  });

  it('calls an encoder that listens, and calls it again after its restart', async () => {
    const url = `srt://127.0.0.1:${await freePort()}`;
    const passphrase = 'correct-horse-battery';
    const { meetingID, session } = await bench.open('srt', undefined, { mode: 'caller', url, passphrase });
    const { sessionID } = session;
    await bench.problemBecomes(meetingID, sessionID, 'encoder_unreachable');
    const stranger = bench.listen(url, 'x'.repeat(32));
    await bench.problemBecomes(meetingID, sessionID, 'wrong_passphrase');
    await stranger.vanish();
    const encoder = bench.listen(url, passphrase);
    expect((await api.sessionBecomes(meetingID, sessionID, 'active')).ingest).toMatchObject({ url, problem: null });
    await encoder.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    bench.listen(url, passphrase);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const log = await readFile(join(bench.stack.folder, 'ingest.log'), 'utf8');
    expect(log).not.toContain(passphrase);
  });

  it('shows no passphrase in logs or process lists, and frees the port of an ended session', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { passphrase = '' } = session.ingest;
    const { port } = new URL(session.ingest.url);
    const findListener = () => boundPortsOf(stack.ingest.pid).find(bound => bound.startsWith(`udp ${port} `));
    const listener = await waitFor(findListener, { everyMs: 100, what: 'FFmpeg to listen for the encoder' });
    expect((await run('ps', ['-eo', 'args', '-ww'])).stdout).not.toContain(passphrase);
    for (const name of ['ingest', 'gateway'])
      expect(await readFile(join(bench.stack.folder, `${name}.log`), 'utf8')).not.toContain(passphrase);
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
    await waitFor(() => stillBound([listener]).length < 1, {
      everyMs: 100,
      what: 'the port to be free',
    });
  });
});

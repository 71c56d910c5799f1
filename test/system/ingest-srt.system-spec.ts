/** @weight 0.2 for 60 s */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient } from './harness/api-client.js';
import { boundPortsOf, stillBound } from './harness/bound-ports.js';
import { IngestBench } from './harness/ingest-bench.js';
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
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    const { active } = await bench.activate(opened);
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    await bench.recordTogether(meetingID, session.sessionID, 12);
    await bench.soundBecomes(meetingID, session.sessionID);
  });

  it('refuses a wrong passphrase, says so, and then takes the right one', async () => {
    const opened = await bench.open('srt');
    const ingest = { ...opened.session.ingest, passphrase: 'x'.repeat(32) };
    const stranger = await bench.fail(opened, 'wrong_passphrase', () => bench.send({ ingest }));
    expect(await stranger.ended).not.toBe(0);
    const { active } = await bench.activate(opened);
    expect(active.ingest.problem).toBeNull();
  });

  it('refuses a second encoder while the first one sends', async () => {
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    const { encoder: first } = await bench.activate(opened);
    const second = bench.send(session);
    expect(await second.ended).not.toBe(0);
    expect(first.isRunning).toBe(true);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
  });

  it('calls an encoder that listens, and calls it again after its restart', async () => {
    const url = `srt://127.0.0.1:${await freePort()}`;
    const passphrase = 'correct-horse-battery';
    const opened = await bench.open('srt', undefined, { mode: 'caller', url, passphrase });
    const { meetingID, session } = opened;
    const { sessionID } = session;
    await bench.problemBecomes(meetingID, sessionID, 'encoder_unreachable');
    const stranger = await bench.fail(opened, 'wrong_passphrase', () => bench.listen(url, 'x'.repeat(32)));
    await stranger.vanish();
    const listen = () => [bench.listen(url, passphrase)];
    const { active, encoder } = await bench.activate(opened, listen);
    expect(active.ingest).toMatchObject({ url, problem: null });
    await encoder.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await bench.activate(opened, listen);
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

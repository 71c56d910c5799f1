import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { TestBrowser } from './harness/browser.js';
import { RoomMember } from './harness/room-member.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);

interface Recording {
  recordingID: string;
  state: string;
  endReason: string | null;
  durationSeconds: number;
  sizeBytes: number;
  checksumSha256: string;
  downloadUrl: string;
  previousRecordingID: string | null;
}

interface Probe {
  streams: { codec_type: string; codec_name: string; profile?: string; height?: number; start_time: string }[];
  format: { duration: string };
}

describe('a recording', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { RECONCILE_SECONDS: '1' } });
  });
  afterAll(async () => {
    await stack?.close();
  });

  const recordings = async (body: object): Promise<Recording> => {
    const answer = await stack.api.call('POST', '/v1/recordings', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return (answer.body as unknown as { recording: Recording }).recording;
  };
  const read = async (recordingID: string): Promise<Recording> => {
    const { body } = await stack.api.call('GET', `/v1/recordings?recordingID=${recordingID}`);
    return (body as unknown as { recording: Recording }).recording;
  };
  const list = async (meetingID: string): Promise<Recording[]> => {
    const { body } = await stack.api.call('GET', `/v1/recordings?meetingID=${meetingID}`);
    return (body as unknown as { recordings: Recording[] }).recordings;
  };
  const becomes = (recordingID: string, state: string) =>
    waitFor(
      async () => {
        const found = await read(recordingID);
        return found.state === state ? found : undefined;
      },
      { timeoutMs: 60_000, what: `${recordingID} to be ${state}` },
    );
  const publish = async () => {
    const meetingID = await stack.api.createRoom();
    const session = await stack.api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish({ ...session.ingest, profile: 'high', size: '640x360' });
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'active');
    return { meetingID, sessionID: session.sessionID, encoder };
  };
  /** What its transcoder has written of it grows with the time that passes. */
  const waitForSeconds = async (recordingID: string, seconds: number) => {
    await becomes(recordingID, 'recording');
    const since = Date.now();
    await waitFor(() => Date.now() - since > seconds * 1000, { what: `${seconds} s of media` });
    return since;
  };
  const fetchFile = async ({ downloadUrl }: Recording): Promise<Buffer> =>
    Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
  const probe = async (bytes: Buffer): Promise<Probe> => {
    const path = join(stack.folder, 'downloaded.mp4');
    await writeFile(path, bytes);
    const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path]);
    return JSON.parse(stdout) as Probe;
  };

  it('has the codec of its encoder as it was sent, and can be downloaded in whole and in part', async () => {
    const { meetingID, sessionID, encoder } = await publish();
    const begun = Date.now();
    const { recordingID } = await recordings({ action: 'start', meetingID, sourceSessionID: sessionID });
    const since = await waitForSeconds(recordingID, 4);
    const surelySeconds = (Date.now() - since) / 1000;
    await recordings({ action: 'stop', recordingID });
    const atMostSeconds = (Date.now() - begun) / 1000;
    const ready = await becomes(recordingID, 'ready');
    expect(ready.durationSeconds).toBeGreaterThan(surelySeconds - 1);
    expect(ready.durationSeconds).toBeLessThan(atMostSeconds + 1);
    const bytes = await fetchFile(ready);
    expect(bytes.length).toBe(ready.sizeBytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(ready.checksumSha256);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    const { streams } = await probe(bytes);
    const [video, audio] = ['video', 'audio'].map(kind => streams.find(each => each.codec_type === kind)!);
    expect(video).toMatchObject({ codec_name: 'h264', profile: 'High' });
    expect(audio).toMatchObject({ codec_name: 'opus' });
    expect(Math.abs(Number(video!.start_time) - Number(audio!.start_time))).toBeLessThan(0.05);
    const part = await fetch(ready.downloadUrl, { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    await encoder.leave();
  });

  it('loses at most 2 s when the transcoder is killed, and goes on in a second recording', async () => {
    const { meetingID, sessionID, encoder } = await publish();
    const { recordingID } = await recordings({ action: 'start', meetingID, sourceSessionID: sessionID });
    const since = await waitForSeconds(recordingID, 5);
    const killedAt = Date.now();
    await stack.transcoder.stop('SIGKILL');
    await stack.transcoder.start();
    const first = await becomes(recordingID, 'ready');
    expect(first.endReason).toBe('node_lost');
    expect((killedAt - since) / 1000 - first.durationSeconds).toBeLessThan(2);
    await probe(await fetchFile(first));
    const second = await waitFor(
      async () => (await list(meetingID)).find(each => each.previousRecordingID === recordingID),
      { what: 'the second recording' },
    );
    await waitForSeconds(second.recordingID, 2);
    await encoder.leave();
    const ended = await becomes(second.recordingID, 'ready');
    expect(ended.endReason).toBe('source_ended');
    await probe(await fetchFile(ended));
  });

  it('of a member has camera and microphone, and is finished when the member leaves', async () => {
    const browser = await TestBrowser.launch([], 'test/browser/room-page.ts');
    try {
      const meetingID = await stack.api.createRoom();
      const grace = await RoomMember.join(browser, await stack.api.join(meetingID, 'Grace'));
      await grace.publishCamera(640, 360, false);
      await grace.speak();
      for (const source of ['camera', 'microphone'] as const) await grace.trackOf(grace.participantID, source);
      const { recordingID } = await recordings({
        ...{ action: 'start', meetingID, sourceParticipantID: grace.participantID },
      });
      await waitForSeconds(recordingID, 3);
      await grace.call('leave');
      const ready = await becomes(recordingID, 'ready');
      expect(ready).toMatchObject({ endReason: 'source_ended' });
      const bytes = await fetchFile(ready);
      expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
      const { streams, format } = await probe(bytes);
      expect(streams.map(({ codec_type, height }) => [codec_type, height])).toEqual([
        ['video', 360],
        ['audio', undefined],
      ]);
      expect(Number(format.duration)).toBeGreaterThan(2.5);
    } finally {
      await browser.close();
    }
  });

  it('leaves nothing on the disk once it is deleted', async () => {
    const { meetingID, sessionID, encoder } = await publish();
    const { recordingID } = await recordings({ action: 'start', meetingID, sourceSessionID: sessionID });
    await waitForSeconds(recordingID, 1);
    await encoder.leave();
    await becomes(recordingID, 'ready');
    await stack.api.call('POST', '/v1/recordings', { action: 'delete', recordingID });
    const files = async () => await readdir(join(stack.mediaDir, 'recordings', 'files'));
    await waitFor(async () => !(await files()).includes(`${recordingID}.mp4`), { what: 'the file to be gone' });
    const work = join(stack.mediaDir, 'recordings', 'work', 'transcoder-1');
    await waitFor(async () => (await readdir(work)).length === 0, { what: 'the working files to be gone' });
  });
});

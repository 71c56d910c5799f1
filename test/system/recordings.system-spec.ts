/** @weight 0.25 for 25 s */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { ApiClient, Recording } from './harness/api-client.js';
import { TestBrowser } from './harness/browser.js';
import { recordedOnDisk } from './harness/recorded.js';
import { RoomMember } from './harness/room-member.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

const run = promisify(execFile);

interface Probe {
  streams: { codec_type: string; codec_name: string; profile?: string; height?: number; start_time: string }[];
  format: { duration: string };
}

describe('a recording', () => {
  let stack: SharedStack;
  let api: ApiClient;
  let folder: string;

  beforeAll(async () => {
    stack = await sharedStack();
    api = stack.api;
    folder = await mkdtemp(join(tmpdir(), 'rtms-recordings-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const publish = async () => {
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish({ ...session.ingest, profile: 'high' });
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    return { meetingID, sessionID: session.sessionID, encoder };
  };
  const fetchFile = async ({ downloadUrl }: Recording): Promise<Buffer> =>
    Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
  const probe = async (bytes: Buffer): Promise<Probe> => {
    const path = join(folder, 'downloaded.mp4');
    await writeFile(path, bytes);
    const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path]);
    return JSON.parse(stdout) as Probe;
  };

  it('has the codec of its encoder as it was sent, and can be downloaded in whole and in part', async () => {
    const { meetingID, sessionID, encoder } = await publish();
    const begunAt = Date.now();
    const { recordingID } = await api.startRecording(meetingID, { sourceSessionID: sessionID });
    await recordedOnDisk(stack.mediaDir, recordingID, 3);
    await api.stopRecording(recordingID);
    const ready = await api.recordingBecomes(recordingID, 'ready');
    const ranSeconds = (Date.now() - begunAt) / 1000;
    // A fragment lasts a second; the last one may be shorter.
    expect(ready.durationSeconds).toBeGreaterThan(2);
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
    const { recording } = await api.expect(200, 'POST', '/v1/recordings', { action: 'compose', meetingID });
    const composed = await api.recordingBecomes(recording.recordingID, 'ready');
    // It begins and ends at multiples of 100 ms, and also has the pauses of an encoder on a busy machine.
    expect(composed.durationSeconds).toBeGreaterThan(ready.durationSeconds - 0.25);
    expect(composed.durationSeconds).toBeLessThan(ranSeconds + 0.25);
    expect(composed.sizeBytes).toBeGreaterThan(10_000);
  });

  it('of a member has camera and microphone, and is finished when the member leaves', async () => {
    const browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
    try {
      const meetingID = await api.createRoom();
      const grace = await RoomMember.join(browser, await api.join(meetingID, 'Grace'));
      await grace.publishCamera();
      await grace.speak();
      for (const source of ['camera', 'microphone'] as const) await grace.trackOf(grace.participantID, source);
      const { recordingID } = await api.startRecording(meetingID, { sourceParticipantID: grace.participantID });
      await recordedOnDisk(stack.mediaDir, recordingID, 3);
      await grace.call('leave');
      const ready = await api.recordingBecomes(recordingID, 'ready');
      expect(ready).toMatchObject({ endReason: 'source_ended' });
      const bytes = await fetchFile(ready);
      expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
      const { streams, format } = await probe(bytes);
      expect(streams.map(({ codec_type, height }) => [codec_type, height])).toEqual([
        ['video', 90],
        ['audio', undefined],
      ]);
      expect(Number(format.duration)).toBeGreaterThan(2);
    } finally {
      await browser.close();
    }
  });

  it('leaves nothing on the disk once it is deleted', async () => {
    const { meetingID, sessionID, encoder } = await publish();
    const { recordingID } = await api.startRecording(meetingID, { sourceSessionID: sessionID });
    await recordedOnDisk(stack.mediaDir, recordingID, 1);
    await encoder.leave();
    await api.recordingBecomes(recordingID, 'ready');
    const own = async (...place: string[]): Promise<string[]> =>
      (await readdir(join(stack.mediaDir, 'recordings', ...place))).filter(name => name.startsWith(recordingID));
    expect(await own('files')).toEqual([`${recordingID}.mp4`]);
    await api.call('POST', '/v1/recordings', { action: 'delete', recordingID });
    await waitFor(async () => (await own('files')).length < 1, { what: 'the file to be gone' });
    await waitFor(async () => (await own('work', 'transcoder-1')).length < 1, { what: 'the work files to be gone' });
  });
});

/** @weight 0.2 for 35 s */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { ObjectStorage } from './harness/object-storage.js';
import { recordedOnDisk } from './harness/recorded.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);
const keys = { id: 'recordings', secret: 'secret-of-the-recordings' };

describe('a recording whose transcoder is lost for good', () => {
  let folder: string;
  let storage: ObjectStorage;
  let stack: Stack;
  let encoder: EncoderPublisher;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-lost-recording-'));
    storage = await ObjectStorage.start(folder);
    storage.accept(keys);
    stack = await startStack({ env: storage.environment(keys) });
  });
  afterAll(async () => {
    await encoder?.vanish();
    await stack?.close();
    await storage?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const probeSeconds = async (path: string): Promise<number> => {
    const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path];
    return Number((await run('ffprobe', args)).stdout);
  };

  it('is completed by another one, with at most 10 s missing', async () => {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    encoder = await EncoderPublisher.publish(ingest);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { recordingID } = await api.startRecording(meetingID, { sourceSessionID: sessionID });
    await api.recordingBecomes(recordingID, 'recording');
    await stack.addTranscoder('transcoder-2');
    await recordedOnDisk(stack.mediaDir, recordingID, 15);
    await stack.transcoder.stop('SIGKILL');
    // A fragment has one second of media.
    const written = await recordedOnDisk(stack.mediaDir, recordingID, 15);
    // The disk is lost with its node.
    await rm(join(stack.mediaDir, 'recordings'), { recursive: true });

    const ready = await api.recordingBecomes(recordingID, 'ready');
    expect(ready.endReason).toBe('node_lost');
    const path = join(folder, 'downloaded.mp4');
    await writeFile(path, Buffer.from(await (await fetch(ready.downloadUrl)).arrayBuffer()));
    const seconds = await probeSeconds(path);
    expect(seconds).toBeGreaterThan(written - 10);
    expect(Math.abs(seconds - ready.durationSeconds)).toBeLessThan(0.1);
    expect((await api.recordingAfter(meetingID, recordingID)).recordingID).not.toBe(recordingID);
    const work = join(stack.folder, 'transcoder-2', 'recordings', 'work', 'transcoder-2');
    await waitFor(async () => !(await readdir(work)).includes(recordingID), {
      what: 'the fetched parts to be deleted',
    });
  });
});

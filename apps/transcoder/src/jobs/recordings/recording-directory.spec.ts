import { link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingDirectory } from './recording-directory.js';

describe('RecordingDirectory', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'rtms-recordings-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const request = { recordingID: 'rec_1', meetingID: 'room_1' };
  const openAll = (onUnreadable: (path: string) => void = path => expect(path).toBe('readable')) =>
    RecordingDirectory.openAll(parent, onUnreadable);

  it('opens recordings of an earlier process and deletes a directory without notes', async () => {
    await RecordingDirectory.create(parent, request);
    await mkdir(join(parent, 'rec_2'));
    expect((await openAll()).map(({ recordingID }) => recordingID)).toEqual(['rec_1']);
    expect(await readdir(parent)).toEqual(['rec_1']);
  });

  it('keeps the media of a recording whose notes cannot be read', async () => {
    const { path } = await RecordingDirectory.create(parent, request);
    await writeFile(join(path, 'part-0.mp4'), 'media');
    await writeFile(join(path, 'recording.json'), '');
    const unreadable: string[] = [];
    expect(await openAll(each => unreadable.push(each))).toEqual([]);
    expect(unreadable).toEqual([path]);
    expect(await readdir(path)).toContain('part-0.mp4');
  });

  it('leaves no files when creation fails', async () => {
    await mkdir(join(parent, 'rec_1', 'recording.json.new'), { recursive: true });
    await expect(RecordingDirectory.create(parent, request)).rejects.toThrow('EISDIR');
    expect(await readdir(parent)).toEqual([]);
  });

  it('counts the bytes of its parts, and of all its files without links', async () => {
    const directory = await RecordingDirectory.create(parent, request);
    const shape = { video: undefined, audio: undefined };
    await writeFile(await directory.addPart(shape as never), '12345');
    await writeFile(await directory.addPart(shape as never), '678');
    await directory.addPart(shape as never);
    expect(await directory.partBytes()).toBe(8);
    const notesBytes = (await directory.writtenBytes()) - 8;
    await writeFile(directory.pathOf('source-0.mp4'), '1234');
    await writeFile(join(parent, 'stored.mp4'), '12');
    await link(join(parent, 'stored.mp4'), directory.pathOf('source-1.mp4'));
    expect(await directory.writtenBytes()).toBe(8 + notesBytes + 4);
  });
});

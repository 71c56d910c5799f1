/** @weight 0.6 for 30 s */
import { readdirSync, readFileSync } from 'node:fs';
import { EncoderPublisher, freePort, waitFor } from '@rtms/testing';
import type { ExternalSession, Restream } from './harness/api-client.js';
import { descendants, isAlive, openSockets } from './harness/processes.js';
import { startStack, type Stack } from './harness/stack.js';

/** The targets are sessions of the same platform: by RTMP at its ingest node, and by WHIP at its SFU node. */
describe('restreams of a session', () => {
  let stack: Stack;
  let encoder: EncoderPublisher;
  let source: { meetingID: string; sessionID: string };

  beforeAll(async () => {
    stack = await startStack({ env: { RESTREAM_PRIVATE_TARGETS: 'true', GRACE_SECONDS: '30' } });
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature: 'rtmp', enabled: true });
    await stack.addIngest('ingest-1', { RTMP_PORT: String(await freePort()) });
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    source = { meetingID, sessionID };
    encoder = await EncoderPublisher.publish(ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
  });
  afterAll(async () => {
    await encoder?.vanish();
    await stack?.close();
  });

  const path = (id = '') => `/v1/meetings/${source.meetingID}/restreams${id && `/${id}`}`;
  const start = async (target: object, of: object = { sourceSessionID: source.sessionID }): Promise<Restream> => {
    const body = { ...of, target };
    return (await stack.api.expect(201, 'POST', path(), body)).restream;
  };
  const read = ({ restreamID }: Restream) => stack.api.restream(source.meetingID, restreamID);
  const becomes = ({ restreamID }: Restream, state: string) =>
    stack.api.restreamBecomes(source.meetingID, restreamID, state);
  const openTarget = async (protocol: 'rtmp' | 'whip') => {
    const meetingID = await stack.api.createRoom();
    const session = await stack.api.openSession(meetingID, ['video', 'audio'], protocol);
    const { url, streamKey, token } = session.ingest as ExternalSession['ingest'] & Record<string, string>;
    return { meetingID, sessionID: session.sessionID, target: { protocol, url, streamKey: streamKey ?? token } };
  };
  /** FFmpeg never starts again after the last restream. */
  const isIdle = ({ pid }: { pid: number }): boolean => descendants(pid)[0] === undefined;
  const remove = ({ restreamID }: Restream) => stack.api.expect(200, 'DELETE', path(restreamID));
  const commandLines = (): string =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(pid => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      })
      .join('\n');

  it.each(['rtmp', 'whip'] as const)(
    'reaches a target by %s with picture and sound, and shows no key',
    async protocol => {
      const before = openSockets(stack.transcoder.pid);
      const { meetingID, sessionID, target } = await openTarget(protocol);
      const restream = await start(target);
      await becomes(restream, 'active');
      const active = await stack.api.sessionBecomes(meetingID, sessionID, 'active');
      expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
      expect(commandLines()).not.toContain(target.streamKey);
      const logs = readdirSync(stack.folder).filter(name => name.endsWith('.log'));
      expect(logs.length).toBeGreaterThan(2);
      for (const name of logs) expect(readFileSync(`${stack.folder}/${name}`, 'utf8')).not.toContain(target.streamKey);
      await remove(restream);
      await waitFor(() => isIdle(stack.transcoder), { what: 'FFmpeg to end' });
      await waitFor(() => openSockets(stack.transcoder.pid) <= before + 1, { what: 'the ports to close' });
    },
  );

  it('says that a wrong key is refused, while another target receives media', async () => {
    const [good, other] = [await openTarget('rtmp'), await openTarget('rtmp')];
    const sound = await start(good.target);
    await becomes(sound, 'active');
    const wrong = await start({ ...other.target, streamKey: 'x'.repeat(32) });
    expect((await becomes(wrong, 'retrying')).lastProblem).toMatchObject({
      reason: 'target_refused',
      message: expect.stringContaining('streamKey'),
    });
    await becomes(sound, 'active');
    await remove(wrong);
    await remove(sound);
  });

  it('reach a target with the picture and the sound of a whole room', async () => {
    const { meetingID } = source;
    const { broadcast } = await stack.api.expect(201, 'POST', `/v1/meetings/${meetingID}/broadcasts`, {
      layout: 'grid',
    });
    await stack.api.broadcastBecomes(meetingID, broadcast.broadcastID, 'active');
    const { target, ...at } = await openTarget('whip');
    const restream = await start(target, { broadcastID: broadcast.broadcastID });
    await becomes(restream, 'active');
    const { tracks } = await stack.api.sessionBecomes(at.meetingID, at.sessionID, 'active');
    expect(tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    await stack.api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcast.broadcastID}`);
    expect(await read(restream)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    await waitFor(() => isIdle(stack.transcoder), { what: 'FFmpeg to end' });
  });

  it('go on at another transcoder after a crash, which leaves no process', async () => {
    const { meetingID, sessionID, target } = await openTarget('rtmp');
    const restream = await start(target);
    await becomes(restream, 'active');
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const orphans = descendants(stack.transcoder.pid);
    expect(orphans.length).toBeGreaterThan(0);
    const second = await stack.addTranscoder('transcoder-2');
    await stack.transcoder.stop('SIGKILL');
    await waitFor(() => !orphans.some(({ pid }) => isAlive(pid)), { what: 'FFmpeg to die with its transcoder' });
    await waitFor(() => descendants(second.pid).length > 0, { what: 'the other transcoder to send' });
    expect((await becomes(restream, 'active')).lastProblem).toMatchObject({ reason: 'node_lost' });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    await stack.api.expect(200, 'POST', '/v1/rooms', { action: 'end', meetingID: source.meetingID });
    expect(await read(restream)).toMatchObject({ state: 'ended', endReason: 'room_ended' });
    await waitFor(() => isIdle(second), { what: 'FFmpeg to end' });
  });
});

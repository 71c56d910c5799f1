import { MediaTestBed } from '../../testing/media-test-bed.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';

describe('the limits of sources', () => {
  const plan = { pixels: 1280 * 720, pixelsPerSecond: 1280 * 720 * 30 };
  let bed: MediaTestBed;

  beforeEach(async () => {
    const accountLimits = { sourcePixels: plan.pixels, sourcePixelsPerSecond: plan.pixelsPerSecond };
    bed = await MediaTestBed.start({ config: { accountLimits } });
  });
  afterEach(() => bed?.close());

  const setLimits = (limits: object, { accountID } = bed.account) =>
    bed.gateway.http
      .put(`/admin/v1/accounts/${accountID}/limits`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .send(limits)
      .expect(200);
  const startRecording = async (sourceSessionID: string): Promise<string> => {
    const body = { action: 'start', meetingID: bed.meetingID, sourceSessionID };
    const answer = await bed.request('post', '/v1/recordings', body);
    return (answer.body['recording'] as { recordingID: string }).recordingID;
  };
  /** Starts a broadcast and a recording of a new session. Resolves with the limits in their commands. */
  const boundsOfNew = async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openBroadcast(sessionID);
    const recordingID = await startRecording(sessionID);
    const { sfu, transcoder } = bed;
    const [session, broadcast, recording] = [
      await sfu.command('session.open', request => request['sessionID'] === sessionID),
      await transcoder.command('broadcast.start', request => request['broadcastID'] === broadcastID),
      await transcoder.command('recording.start', request => request['recordingID'] === recordingID),
    ];
    return [session['maxSource'], broadcast['maxSource'], recording['maxSource']];
  };

  it('send the limits of the plan with each session, broadcast and recording', async () => {
    expect(await boundsOfNew()).toEqual([plan, plan, plan]);
  });

  it('apply to all commands after a change, for this account only', async () => {
    await boundsOfNew();
    await setLimits({ sourcePixels: 640 * 360 });
    const changed = { ...plan, pixels: 640 * 360 };
    expect(await boundsOfNew()).toEqual([changed, changed, changed]);
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    expect(await boundsOfNew()).toEqual([plan, plan, plan]);
  });

  it('return to the plan when an administrator resets them', async () => {
    await setLimits({ sourcePixels: 0, sourcePixelsPerSecond: 1 });
    const none = { pixels: 0, pixelsPerSecond: 1 };
    expect(await boundsOfNew()).toEqual([none, none, none]);
    await setLimits({ sourcePixels: null, sourcePixelsPerSecond: null });
    expect(await boundsOfNew()).toEqual([plan, plan, plan]);
  });

  it('apply with their current values when another node takes over', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    const recordingID = await startRecording(sessionID);
    await bed.transcoder.record(recordingID);
    await setLimits({ sourcePixelsPerSecond: 1_000_000 });
    const changed = { ...plan, pixelsPerSecond: 1_000_000 };

    const transcoder = await bed.startTranscoder('transcoder-2');
    await bed.lose(bed.transcoder);
    expect(transcoder.received('broadcast.start')).toMatchObject([{ broadcastID, maxSource: changed }]);
    expect(transcoder.received('recording.start')).toMatchObject([{ sourceID: sessionID, maxSource: changed }]);

    const sfu = await bed.startSfu('sfu-2');
    await bed.lose(bed.sfu);
    expect(sfu.received('session.open')).toMatchObject([{ sessionID, maxSource: changed }]);

    // The lost node was only disconnected, and gets its room back.
    await setLimits({ sourcePixels: 1_000 });
    await bed.sfu.start();
    await bed.settled();
    const last = bed.sfu.received('session.open').at(-1);
    expect(last).toMatchObject({ sessionID, maxSource: { ...changed, pixels: 1_000 } });
  });
});

import { placeRepair, ServiceError } from '@rtms/contracts';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { defaultRepairsPerAccount } from './repair-questions.service.js';

describe('the repair of a session with B-frames', () => {
  let bed: MediaTestBed;
  let repairs = 0;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.meetingID = await bed.createRoom();
  });
  afterEach(async () => {
    await bed.endRoom();
    bed.transcoder.forgetAll();
    bed.transcoder.refusals.clear();
  });

  const place = (sessionID: string, sfuNodeID = 'sfu-1') => {
    const repairID = `rep_${(repairs += 1)}`;
    return bed.gateway.bus.request(placeRepair, { repairID, sessionID, sfuNodeID, videoBitrate: 2_000_000 });
  };
  const failsWith = (reason: string) => expect.objectContaining({ failure: expect.objectContaining({ reason }) });

  it('goes to a transcoder with the limits of its account', async () => {
    const sessionID = await bed.openActiveSession();
    expect(await place(sessionID)).toEqual({ nodeID: 'transcoder-1' });
    expect(bed.transcoder.repairs).toEqual([
      {
        ...{ repairID: `rep_${repairs}`, sessionID, sfuNodeID: 'sfu-1', videoBitrate: 2_000_000 },
        ...{ accountID: bed.account.accountID, tracks: ['video', 'audio'] },
        maxSource: { pixels: expect.any(Number), pixelsPerSecond: expect.any(Number) },
      },
    ]);
  });

  it('is refused for a session that is not active on the node that asks', async () => {
    const [pending, active] = [await bed.openSession(), await bed.openActiveSession()];
    await expect(place(pending)).rejects.toEqual(failsWith('source_not_active'));
    await expect(place(active, 'sfu-2')).rejects.toEqual(failsWith('source_not_active'));
    await expect(place('ext_unknown')).rejects.toEqual(failsWith('source_not_active'));
    const malformed = { repairID: '', sessionID: active, sfuNodeID: 'sfu-1', videoBitrate: Number.NaN };
    await expect(bed.gateway.bus.request(placeRepair, malformed)).rejects.toEqual(failsWith('invalid_request'));
    expect(bed.transcoder.repairs).toEqual([]);
  });

  it('goes to another transcoder when one is full or lost', async () => {
    const sessionID = await bed.openActiveSession();
    const other = await bed.startTranscoder('transcoder-2');
    bed.transcoder.refusals.set('repair.start', new ServiceError('capacity_reached'));
    expect(await place(sessionID)).toEqual({ nodeID: 'transcoder-2' });
    other.refusals.set('repair.start', new ServiceError('capacity_reached'));
    await expect(place(sessionID)).rejects.toEqual(failsWith('capacity_reached'));
    await bed.lose(other);
  });

  it('counts no earlier repair of its own session, which the new one replaces', async () => {
    const sessionID = await bed.openActiveSession();
    for (let count = 0; count <= defaultRepairsPerAccount; count += 1) await place(sessionID);
    expect(bed.transcoder.repairs).toHaveLength(defaultRepairsPerAccount + 1);
  });

  it('stays within the limit of an account when many are wanted at once', async () => {
    const sessionIDs = await Promise.all(
      Array.from({ length: defaultRepairsPerAccount + 3 }, () => bed.openActiveSession()),
    );
    const answers = await Promise.allSettled(sessionIDs.map(sessionID => place(sessionID)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(defaultRepairsPerAccount);
    expect(bed.transcoder.repairs).toHaveLength(defaultRepairsPerAccount);
  });

  it('is refused above the limit of an account, and not for another account', async () => {
    const sessionID = await bed.openActiveSession();
    for (let count = 0; count < defaultRepairsPerAccount; count += 1) await place(await bed.openActiveSession());
    await expect(place(sessionID)).rejects.toEqual(failsWith('capacity_reached'));
    for (const repair of bed.transcoder.repairs) repair.accountID = 'acct_other';
    expect(await place(sessionID)).toEqual({ nodeID: 'transcoder-1' });
  });
});

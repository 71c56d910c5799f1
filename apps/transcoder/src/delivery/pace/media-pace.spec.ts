import { ManualClock } from '@rtms/testing';
import { MediaPace, type PaceTroubles } from './media-pace.js';

const none: PaceTroubles = { lostMs: 0, movedMs: 0, lateMs: 0 };

describe('the pace of a broadcast with segments of two seconds', () => {
  let clock: ManualClock;
  let pace: MediaPace;
  beforeEach(() => {
    clock = new ManualClock();
    pace = new MediaPace(clock, 2_000);
    pace.notePicture();
    pace.noteSegment();
  });

  const now = () => pace.troubles(0);
  /** The source sends ten pictures a second. */
  async function send(ms: number): Promise<void> {
    for (let sent = 0; sent < ms; sent += 100) {
      await clock.advance(100);
      pace.notePicture();
    }
  }
  async function list(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      await clock.advance(2_000);
      pace.noteSegment();
    }
  }

  it('is in order until a segment comes twice its length late', async () => {
    await send(3_900);
    expect(now()).toEqual(none);
    await send(100);
    expect(now()).toEqual({ ...none, lateMs: 2_000 });
    pace.noteSegment();
    await send(1_000);
    expect([pace.troubles(1_000), pace.troubles(999)]).toEqual([{ ...none, lateMs: 2_000 }, none]);
  });

  it('blames a short silence on the source, and only the rest of a delay on the node', async () => {
    await clock.advance(4_000);
    expect(now()).toEqual({ ...none, lostMs: 4_000 });
    await send(500);
    pace.noteSegment();
    expect(now()).toEqual({ ...none, lostMs: 4_100 });
    await clock.advance(3_900);
    await send(5_000);
    expect(now()).toMatchObject({ lateMs: 2_900 });
  });

  it('knows no silence of a composition but the waits that it reports', async () => {
    pace = new MediaPace(clock, 2_000);
    pace.noteSegment();
    await clock.advance(5_000);
    expect(now()).toEqual({ ...none, lateMs: 3_000 });
    pace.noteSilence(2_500);
    expect(now()).toEqual({ ...none, lostMs: 2_500 });
    pace.noteSegment();
    await clock.advance(5_000);
    expect(now()).toMatchObject({ lateMs: 3_000 });
  });

  it('takes the time without a processor for no silence of the source', async () => {
    pace.tick();
    // Pictures wait in the socket.
    clock.stall(6_000);
    pace.notePicture();
    expect(now()).toEqual({ ...none, lateMs: 4_000 });
    pace.tick();
    pace.noteSegment();
    await clock.advance(1_000);
    pace.tick();
    await clock.advance(1_000);
    pace.tick();
    await clock.advance(2_000);
    pace.tick();
    expect(now()).toEqual({ ...none, lostMs: 3_000 });
  });

  it('blames the platform for a silence whose node is lost, also if the slate plays already', async () => {
    pace.loseSource();
    await clock.advance(1_000);
    pace.beginSlate();
    await list(2);
    pace.loseNode();
    expect(now()).toEqual({ ...none, movedMs: 5_000 });
    pace.notePicture();
    pace.regainSource();
    pace.loseSource();
    await clock.advance(1_000);
    expect(pace.troubles(1_000)).toEqual({ ...none, movedMs: 5_000, lostMs: 1_000 });
  });

  it.each(['before', 'after'])('blames the platform for a source that is lost %s its node', async order => {
    await clock.advance(2_000);
    if (order === 'after') pace.loseNode();
    pace.loseSource(2_000);
    if (order === 'before') pace.loseNode();
    await clock.advance(1_000);
    expect(now()).toEqual({ ...none, movedMs: 3_000 });
  });

  it('ignores the loss of a node whose media workers still send', async () => {
    await send(900);
    pace.loseNode();
    pace.loseSource();
    await clock.advance(1_000);
    expect(now()).toEqual({ ...none, lostMs: 1_000 });
  });

  it('counts the packets that did not come for the last ten to twenty seconds', async () => {
    pace.notePacket(5);
    expect(pace.lostShare).toBe(0);
    for (let packet = 0; packet < 44; packet += 1) pace.notePacket(0);
    expect(pace.lostShare).toBe(0.1);
    await clock.advance(10_000);
    for (let packet = 0; packet < 50; packet += 1) pace.notePacket(0);
    expect(pace.lostShare).toBe(0.05);
    await clock.advance(10_000);
    pace.notePacket(0);
    expect(pace.lostShare).toBe(0);
  });

  it('blames a loss until the slate has two segments, and measures the slate from then on', async () => {
    pace.loseSource(1_000);
    // The lost source's last segment.
    await list(1);
    pace.beginSlate();
    await list(2);
    expect(now()).toEqual({ ...none, lostMs: 7_000 });
    await list(20);
    expect(pace.troubles(20_000)).toEqual(none);
    await clock.advance(5_000);
    expect(now()).toEqual({ ...none, lateMs: 3_000 });
  });

  it('blames a loss for as long as there is no slate, and for a while after it', async () => {
    pace.loseSource();
    await clock.advance(60_000);
    expect(now()).toEqual({ ...none, lostMs: 60_000 });
    pace.regainSource();
    await list(5);
    expect([pace.troubles(10_000), pace.troubles(9_999)]).toEqual([{ ...none, lostMs: 60_000 }, none]);
  });

  it('keeps a late slate in mind when the source is back', async () => {
    pace.loseSource();
    pace.beginSlate();
    await list(2);
    await clock.advance(6_000);
    pace.regainSource();
    expect(now()).toEqual({ ...none, lateMs: 4_000 });
  });

  it('keeps the first cause of a loss, until the source is back', async () => {
    pace.loseSource(0, true);
    await clock.advance(1_000);
    pace.loseSource(500);
    await clock.advance(1_000);
    expect(now()).toEqual({ ...none, movedMs: 2_000 });
    pace.regainSource();
    pace.loseSource();
    await clock.advance(3_000);
    expect(pace.troubles(20_000)).toEqual({ ...none, movedMs: 2_000, lostMs: 3_000 });
  });
});

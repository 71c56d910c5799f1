import { type HlsViewerSample, reasonOf, unpackHlsSamples } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { Presentation } from '../presentation/presentation.js';
import { HlsViewers } from './hls-viewers.js';

const rendition = {
  name: '180p',
  width: 320,
  height: 180,
  frameRate: 30,
  videoBitrate: 800_000,
  audioBitrate: 100_000,
  codecs: 'avc1.64001f',
};

describe('the HLS viewers of a node', () => {
  let clock: ManualClock;
  let viewers: HlsViewers;
  let presentation: Presentation;

  const present = (broadcastID: string, accountID: string): Presentation => {
    const options = { segmentSeconds: 2, windowSegments: 6, accountID };
    const made = new Presentation(broadcastID, options, new MemorySegmentStore(), clock);
    return Object.assign(made, { renditions: () => [rendition] });
  };
  const note = (sessionID: string, data: string, of = presentation, network: string | null = '192.0.2.1'): void =>
    viewers.note(of, `CMCD=${encodeURIComponent(`${data},sid="${sessionID}"`)}`, {}, () => network ?? undefined);
  const samplesOf = (of = presentation, most = 5_000): HlsViewerSample[] =>
    viewers.read({ broadcastID: of.broadcastID, viewers: most }).minutes.flatMap(unpackHlsSamples);
  /** Moves to the next sample. */
  const turn = () => clock.advance(10_000);

  beforeEach(() => {
    clock = new ManualClock();
    viewers = new HlsViewers(clock);
    presentation = present('bcast_1', 'acct_1');
  });
  afterEach(() => {
    viewers.onModuleDestroy();
    expect(clock.pending).toBe(0);
  });

  it('have a sample for each ten seconds with requests', async () => {
    note('a', 'bl=0,br=900,ot=v,su');
    note('a', 'bl=4000,br=900,mtp=5000,ot=v');
    note('a', 'bl=2500,br=2800,mtp=6000,ot=v');
    note('a', 'bl=3000,br=128,ot=a,bs');
    await turn();
    expect(samplesOf()).toEqual([
      {
        at: clock.now(),
        bufferMs: 2_500,
        stalls: 0,
        throughput: 6_000_000,
        bitrate: 2_800_000,
        cause: 'none',
        value: 0,
      },
    ]);
    // A silent player has no sample.
    await turn();
    expect(samplesOf()).toHaveLength(1);
  });

  it('have an identifier that hides the session ID of the player', async () => {
    note('mail@example.com', 'bl=1');
    note('mail@example.com', 'bl=1', present('bcast_2', 'acct_1'));
    await turn();
    const ids = ['bcast_1', 'bcast_2'].map(
      broadcastID => viewers.read({ broadcastID, viewers: 9 }).minutes[0]?.viewerID,
    );
    expect(ids).toEqual([expect.stringMatching(/^vwr_[\w-]{22}$/), expect.stringMatching(/^vwr_[\w-]{22}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('have a slow network at fault for a stall, or stall for an unknown reason', async () => {
    note('slow', 'br=900,mtp=500,ot=v,bs');
    note('odd', 'br=900,mtp=9000,ot=v,bs');
    for (const each of ['c', 'd']) note(each, 'br=900,mtp=9000,ot=v');
    await turn();
    const reasons = samplesOf()
      .filter(({ stalls }) => stalls > 0)
      .map(reasonOf)
      .sort();
    expect(reasons).toEqual([
      'The player received 500 kbit/s, less than the lowest rendition needs.',
      'The player stalled once, while the broadcast was in order.',
    ]);
  });

  it('have the node at fault when most of them stall together', async () => {
    for (const each of ['a', 'b']) note(each, 'mtp=900,ot=v,bs');
    note('c', 'ot=v,bs');
    note('d', 'mtp=9000,ot=v');
    await turn();
    expect(
      samplesOf()
        .map(({ cause, value }) => `${cause} ${value}`)
        .sort(),
    ).toEqual([...Array.from({ length: 3 }, () => 'hls_common 75'), 'none 0']);
    expect([viewers.verdicts.node, viewers.verdicts.none, viewers.stalls]).toEqual([3, 1, 3]);
  });

  it('have their own network at fault when most of them share a slow one', async () => {
    for (const each of ['a', 'b', 'c', 'd']) note(each, 'mtp=899,ot=v,bs');
    await turn();
    expect([viewers.verdicts.node, viewers.verdicts.viewer_network]).toEqual([0, 4]);
  });

  it('have the node at fault when those of most networks are slow together', async () => {
    const networks = ['192.0.2.1', '192.0.2.2', '192.0.2.3', null];
    for (const [index, network] of networks.entries()) note(`slow${index}`, 'mtp=899,ot=v,bs', presentation, network);
    await turn();
    expect(samplesOf().map(({ cause, value }) => `${cause} ${value}`)).toEqual(networks.map(() => 'hls_common 100'));
    // A stall of the twenty seconds before counts for the others.
    note('slow0', 'mtp=899,ot=v,bs');
    for (const each of [1, 2, 3]) note(`slow${each}`, 'mtp=899,ot=v');
    await turn();
    expect(samplesOf().filter(({ at, stalls }) => at === clock.now() && stalls > 0)).toEqual([
      expect.objectContaining({ cause: 'hls_common', value: 100 }),
    ]);
  });

  it.each([
    ['shrink to less than half', 1_900, 'hls_common 75'],
    ['shrink less', 2_000, 'hls_stalled 1'],
  ])('are judged by the buffers of the others, which %s', async (_, bufferMs, expected) => {
    for (const each of ['a', 'b', 'c', 'd']) note(each, 'bl=4000,mtp=9000,ot=v');
    await turn();
    note('a', 'bl=0,mtp=9000,ot=v,bs');
    for (const each of ['b', 'c']) note(each, `bl=${bufferMs},mtp=9000,ot=v`);
    note('d', 'bl=4000,mtp=9000,ot=v');
    await turn();
    const stalled = samplesOf().filter(({ stalls }) => stalls > 0);
    expect(stalled.map(({ cause, value }) => `${cause} ${value}`)).toEqual([expected]);
  });

  it('have their own network at fault when most players are fast', async () => {
    for (const each of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) note(each, 'mtp=899,ot=v,bs', presentation, each);
    for (const each of ['a', 'b']) note(each, 'mtp=9000,ot=v');
    await turn();
    expect([viewers.verdicts.node, viewers.verdicts.viewer_network]).toEqual([0, 3]);
  });

  it('have the uplink at fault when packets of the lost source are missing', async () => {
    presentation.pace.noteSegment();
    for (let packet = 0; packet < 75; packet += 1) presentation.pace.notePacket(packet % 3 === 0 ? 1 : 0);
    presentation.pace.loseSource();
    note('a', 'ot=v,bs');
    await turn();
    expect(samplesOf().map(reasonOf)).toEqual(["The publisher's network lost 25 % of the source's packets."]);
    expect(viewers.verdicts.uplink).toBe(1);
  });

  it('have the publisher at fault, for twenty seconds after a lost source', async () => {
    presentation.pace.noteSegment();
    presentation.pace.loseSource(1_000);
    await clock.advance(5_000);
    presentation.pace.regainSource();
    note('a', 'ot=v,bs');
    await clock.advance(5_000);
    expect(samplesOf().map(reasonOf)).toEqual(['The source of the broadcast sent no media for 6 s.']);
    presentation.pace.noteSegment();
    await turn();
    presentation.pace.noteSegment();
    await clock.advance(9_000);
    presentation.pace.noteSegment();
    note('a', 'ot=v,bs');
    await clock.advance(1_000);
    expect(samplesOf().at(-1)?.cause).not.toBe('hls_source_lost');
  });

  it('have the platform at fault when it moves the source', async () => {
    presentation.pace.loseSource(0, true);
    note('a', 'ot=v,bs');
    await turn();
    expect(samplesOf().map(reasonOf)).toEqual([
      'The platform opened the source of the broadcast anew, and no media came for 10 s.',
    ]);
    expect(viewers.verdicts.node).toBe(1);
  });

  it('have the node at fault after a late segment', async () => {
    presentation.pace.noteSegment();
    await clock.advance(7_000);
    presentation.pace.noteSegment();
    note('a', 'ot=v,bs');
    await clock.advance(3_000);
    expect(samplesOf().map(reasonOf)).toEqual([
      'The media node had a segment 5 s late, and the source was not the reason.',
    ]);
  });

  it('leave their places after 70 s of silence, and take none of another account', async () => {
    const same = present('bcast_2', 'acct_1');
    const other = present('bcast_3', 'acct_2');
    for (let each = 0; each < 600; each += 1) {
      note(`s${each}`, 'bl=1');
      note(`s${each}`, 'bl=1', same);
    }
    note('a', 'bl=1', other);
    await turn();
    expect([presentation, same, other].map(of => samplesOf(of).length)).toEqual([500, 500, 1]);
    await clock.advance(60_000);
    note('late', 'bl=1');
    await turn();
    expect(samplesOf()).toHaveLength(501);
  });

  it('find places beside ten accounts that take all they can', async () => {
    for (let account = 0; account < 10; account += 1) {
      const hostile = present(`bcast_h${account}`, `acct_h${account}`);
      for (let each = 0; each < 1_000; each += 1) note(`s${each}`, 'bl=1', hostile);
    }
    const other = present('bcast_3', 'acct_2');
    for (let each = 0; each < 100; each += 1) note(`s${each}`, 'bl=1', other);
    await turn();
    expect(samplesOf(other)).toHaveLength(100);
  });

  it('have a limited number of rows in a minute, also if they change their session ID', async () => {
    await clock.advance(60_000 - (clock.now() % 60_000));
    for (const round of ['one', 'two']) {
      for (let each = 0; each < 1_000; each += 1) note(`${round}${each}`, 'bl=1');
      await turn();
      await clock.advance(20_000);
    }
    expect(samplesOf()).toHaveLength(1_000);
  });

  it('are read once a minute, page by page, and forgotten after five minutes', async () => {
    await clock.advance(60_000 - (clock.now() % 60_000));
    for (const each of ['a', 'b']) note(each, 'bl=1');
    await turn();
    expect(viewers.read({}).minutes).toEqual([]);
    await clock.advance(120_000);
    const { minutes, next = '', isLast } = viewers.read({});
    expect([minutes.length, isLast, viewers.read({ after: next }).minutes.length]).toEqual([2, true, 0]);
    await clock.advance(300_000);
    expect(samplesOf()).toEqual([]);
  });

  it('are judged by the present state of a broadcast that came back to the node', async () => {
    note('a', 'ot=v');
    presentation.pace.loseSource(0, true);
    presentation.handOver();
    await turn();
    presentation = present('bcast_1', 'acct_1');
    note('a', 'ot=v,bs');
    await turn();
    expect(samplesOf().map(({ cause }) => cause)).toEqual(['none', 'hls_stalled']);
    presentation.pace.loseSource(0, true);
    note('a', 'ot=v,bs');
    await turn();
    expect(samplesOf().at(-1)?.cause).toBe('hls_source_moved');
  });

  it('are counted only by the node that continues the broadcast', async () => {
    presentation.handOver();
    note('a', 'bl=1');
    await turn();
    expect(samplesOf()).toEqual([]);
  });
});

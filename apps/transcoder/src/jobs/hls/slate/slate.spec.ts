import { ServiceError } from '@rtms/contracts';
import { convert } from '@rtms/ffmpeg';
import { listed, openStage, type Stage } from '../../../../test/broadcast-stage.js';
import { decodingProblem, SlateFailure, type LoadSlate } from './slate-image.js';

const breaks = (playlist: string): number => playlist.match(/^#EXT-X-DISCONTINUITY$/gm)?.length ?? 0;

describe('the slate of a broadcast', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  const slates = () => stage.encoder.slates;
  const shown = () =>
    slates().map(({ plan: { still } }) => still && [still.segment.toString('latin1'), still.isDimmed]);
  async function lose(): Promise<void> {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.clock.advance(0);
  }
  async function play(segments: number): Promise<void> {
    for (let segment = 0; segment < segments; segment++) slates().at(-1)!.cut(1);
    await stage.clock.advance(0);
  }

  it('begins after two seconds without video, in the renditions of the source', async () => {
    // The job looks each second, and the last picture is 3 s after its start.
    await stage.clock.advance(2_000);
    expect(slates()).toHaveLength(0);
    await stage.clock.advance(1_000);
    expect(slates()).toHaveLength(1);
    const [run] = stage.encoder.runs;
    const { video, hasAudio, segmentSeconds } = run!.plan;
    expect(slates()[0]!.plan).toMatchObject({ input: 'slate', video, hasAudio, segmentSeconds });
    await stage.clock.advance(60_000);
    expect(slates()).toHaveLength(1);
  });

  it('begins at once when the gateway reports the loss of the source', async () => {
    await lose();
    expect(slates()).toHaveLength(1);
  });

  it('adds segments after a discontinuity, and does not make the broadcast active', async () => {
    await lose();
    const before = stage.playlist();
    await play(3);
    expect(listed(stage.playlist())).toBe(listed(before) + 3);
    expect(breaks(stage.playlist())).toBe(1);
    expect(stage.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'interrupted' }]);
    expect(stage.types()).toEqual(['broadcast.active']);
  });

  it('continues until the returned source publishes, and ends then', async () => {
    await lose();
    await play(1);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    await play(1);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([false, 1]);
    await stage.source.send(31);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([true, 2]);
    const after = listed(stage.playlist());
    await play(1);
    expect(listed(stage.playlist())).toBe(after);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
  });

  it('shows the last picture of the source dimmed, after the segments of the ended run', async () => {
    await stage.source.send(5);
    await lose();
    // The run had four segments. Its last one is shorter.
    expect(shown()).toEqual([[expect.stringMatching(/v1 3$/), true]]);
  });

  it('keeps its picture as it is when the source is lost again before a segment', async () => {
    await lose();
    await play(2);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    stage.encoder.isStuck = true;
    await stage.source.send(18);
    stage.encoder.listeners.at(-1)!.onInit('v1', Buffer.alloc(0));
    await lose();
    expect(shown()).toEqual([
      [expect.stringMatching(/v1 \d$/), true],
      [expect.stringMatching(/v1 1$/), false],
    ]);
  });

  it('continues when the source is lost again before a segment, which then comes too late', async () => {
    await lose();
    await play(1);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    // The encoder has nine pictures of a segment of ten.
    await stage.source.send(18);
    await lose();
    expect(slates().map(({ isClosed }) => isClosed)).toEqual([false]);
    expect(stage.registry.get('bcast_1')!.pace.troubles(0).lostMs).toBeGreaterThan(0);
    const before = listed(stage.playlist());
    await play(1);
    expect(listed(stage.playlist())).toBe(before + 1);
  });

  it('is black when its picture cannot be decoded', async () => {
    await lose();
    slates()[0]!.die();
    await stage.clock.advance(0);
    expect(shown()).toEqual([[expect.anything(), true], undefined]);
    await play(2);
    expect(breaks(stage.playlist())).toBe(1);
    slates()[1]!.die();
    await stage.clock.advance(10_000);
    expect(slates()).toHaveLength(2);
  });

  it('gives way to a source that returns on the same feed', async () => {
    await stage.clock.advance(3_000);
    await play(2);
    await stage.source.send(31);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([true, 2]);
    expect(stage.types()).toEqual(['broadcast.active']);
  });

  it('begins anew when the source is lost again', async () => {
    for (let loss = 1; loss <= 2; loss++) {
      await lose();
      expect(slates()).toHaveLength(loss);
      await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
      await stage.source.send(31);
    }
  });

  it('is not replaced when its encoder dies, and the source still returns', async () => {
    await lose();
    await play(1);
    slates()[0]!.die();
    await stage.clock.advance(10_000);
    expect(slates()).toHaveLength(1);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    const before = listed(stage.playlist());
    await stage.source.send(31);
    expect(listed(stage.playlist())).toBeGreaterThan(before);
  });

  it('ends with the broadcast', async () => {
    await lose();
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    expect(slates()[0]!.isClosed).toBe(true);
    await stage.clock.advance(60_000);
    expect(slates()).toHaveLength(1);
  });
});

describe('the slate of a broadcast with an image', () => {
  const slate = { imageUrl: 'https://example.com/slate.png', allowsPrivate: false, accountID: 'acct_1' };
  const image = { segment: Buffer.from('image'), isDimmed: false };

  async function shownAfter(loadSlate: LoadSlate) {
    const stage = await openStage({ slate }, loadSlate);
    await stage.source.send(31);
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.clock.advance(0);
    const { still } = stage.encoder.slates[0]!.plan;
    const facts = [...stage.facts];
    await stage.close();
    return { still, facts };
  }

  it('shows the image in place of the last picture', async () => {
    const { still, facts } = await shownAfter(() => Promise.resolve(image));
    expect(still).toBe(image);
    expect(facts).toEqual([expect.not.objectContaining({ slateProblem: expect.anything() })]);
  });

  it('shows the last picture and reports why the image is not shown', async () => {
    const { still, facts } = await shownAfter(() => Promise.reject(new SlateFailure('image_too_large', '')));
    expect(still).not.toBe(image);
    expect(still?.isDimmed).toBe(true);
    expect(facts).toEqual([expect.objectContaining({ type: 'broadcast.active', slateProblem: 'image_too_large' })]);
  });

  it('reports a problem that comes after the broadcast is active', async () => {
    let fail: (error: Error) => void = () => undefined;
    const stage = await openStage({ slate }, () => new Promise((_, reject) => (fail = reject)));
    await stage.source.send(31);
    fail(new SlateFailure('image_unreachable', ''));
    await stage.clock.advance(0);
    expect(stage.facts.map(fact => 'slateProblem' in fact && fact.slateProblem)).toEqual([false, 'image_unreachable']);
    await stage.close();
  });

  it('loads an unreachable image again after a pause that doubles, and shows it at the next loss', async () => {
    let attempts = 0;
    const stage = await openStage({ slate }, () => {
      attempts += 1;
      return attempts < 3 ? Promise.reject(new SlateFailure('image_unreachable', '')) : Promise.resolve(image);
    });
    for (const [seconds, expected] of [
      [28, 1],
      [5, 2],
      [50, 2],
      [15, 3],
    ] as const) {
      await stage.source.send(10 * seconds);
      expect(attempts).toBe(expected);
    }
    const problems = stage.facts.map(fact => 'slateProblem' in fact && fact.slateProblem);
    expect([problems[0], problems.at(-1)]).toEqual(['image_unreachable', false]);
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.clock.advance(0);
    expect(stage.encoder.slates.at(-1)?.plan.still).toBe(image);
    await stage.close();
  });

  it('does not load an image again that is not supported', async () => {
    let attempts = 0;
    const stage = await openStage({ slate }, () => {
      attempts += 1;
      return Promise.reject(new SlateFailure('image_unsupported', ''));
    });
    await stage.source.send(10 * 35);
    expect(attempts).toBe(1);
    await stage.close();
  });

  it.each([
    { what: 'FFmpeg refuses', script: 'exit 1', timeoutMs: 60_000, problem: 'image_unsupported' },
    {
      what: 'FFmpeg makes too large a picture of',
      script: 'exec yes',
      timeoutMs: 60_000,
      problem: 'image_unsupported',
    },
    { what: 'FFmpeg decodes for too long', script: 'exec sleep 60', timeoutMs: 20, problem: 'image_unreachable' },
  ])('has $problem for an image that $what', async ({ script, timeoutMs, problem }) => {
    const shell = { path: 'sh', launcher: [], version: '', cmaf: true };
    const ffmpeg = { ...shell, decoders: new Set<string>(), encoders: new Set<string>(), protocols: new Set<string>() };
    const limits = { input: Buffer.alloc(0), timeoutMs, mostOutputBytes: 1_000 };
    const failed = await convert(ffmpeg, ['-c', script], limits).catch((error: unknown) => error);
    expect(decodingProblem(failed)).toBe(problem);
  });

  it('loads an image again later that had no turn at the decoder', () => {
    const failed = new ServiceError('too_many_waiting', 'Too many tasks wait.');
    expect(decodingProblem(failed)).toBe('image_unreachable');
  });

  it('gives up the download when the broadcast ends', async () => {
    let given: AbortSignal | undefined;
    const stage = await openStage({ slate }, (_, signal) => {
      given = signal;
      return new Promise(() => undefined);
    });
    expect(given?.aborted).toBe(false);
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    expect(given?.aborted).toBe(true);
    await stage.close();
  });
});

import { listed, openStage, type Stage } from '../../../test/broadcast-stage.js';

describe('a broadcast in virtual time', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    // The job looks at its source at whole seconds after its start; the last picture is 3 s old then.
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  it('fails at the fifth encoder failure within a minute', async () => {
    await stage.dieEvery(149);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.failed', reason: 'encoder_failed' });
    expect(stage.broadcasts.load).toBe(0);
    expect(stage.source.feeds.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it('continues after the fifth failure if the first was a minute earlier', async () => {
    await stage.dieEvery(150);
    expect(stage.types()).not.toContain('broadcast.failed');
    expect(stage.encoder.runs).toHaveLength(6);
  });

  it('ignores segments of an earlier encoder once the next one has published', async () => {
    stage.encoder.runs[0]!.die();
    await stage.source.send(31);
    expect(stage.types().at(-1)).toBe('broadcast.active');
    const before = stage.playlist();
    for (const name of ['v1', 'v2', 'audio'])
      stage.encoder.listeners[0]!.onSegment(name, { bytes: Buffer.from('late'), durationSeconds: 1 });
    await stage.clock.advance(0);
    expect(stage.playlist()).toBe(before);
    await stage.source.send(10);
    expect(listed(stage.playlist())).toBe(listed(before) + 1);
  });

  it('replaces an encoder without output for 18 s', async () => {
    stage.encoder.isStuck = true;
    // The last segment came with the last picture.
    await stage.source.send(180);
    expect(stage.encoder.runs).toHaveLength(1);
    stage.encoder.isStuck = false;
    await stage.source.send(1);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'encoder_lost' });
    expect(stage.encoder.runs).toHaveLength(2);
  });
});

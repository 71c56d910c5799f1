import type { CompositionStyle, RecordedSource, RenderRecordingRequest } from '@rtms/contracts';
import { planRender, type RenderedRun, type SourceFile } from './render-plan.js';

const beginMs = Date.UTC(2026, 10, 26, 9);
const size = { width: 320, height: 180 };

const style: CompositionStyle = {
  ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
  backgroundColor: '#202020',
};

/** `spans`: begin and end, seconds after `beginMs`. */
function source(recordingID: string, spans: [number, number][], change: Partial<RecordedSource> = {}): RecordedSource {
  return {
    ...{ recordingID, sourceID: recordingID, name: recordingID, isHost: false, sizeBytes: 1 },
    spans: spans.map(([begin, end]) => {
      return { startedAt: new Date(beginMs + begin * 1000).toISOString(), seconds: end - begin };
    }),
    ...change,
  };
}

function plan(sources: RecordedSource[], change: Partial<RenderRecordingRequest> = {}, files?: SourceFile[]) {
  const both: SourceFile[] = sources.map(({ recordingID }) => {
    return { recordingID, path: `${recordingID}.mp4`, kinds: ['video', 'audio'], size };
  });
  const request: RenderRecordingRequest = {
    ...{ recordingID: 'rec_new', meetingID: 'room_1', accountID: 'acc_1', tracks: ['video', 'audio'] },
    ...{ composition: style, sources, ...change },
  };
  return planRender(request, files ?? both);
}

/** The times of a run, its tiles and its inputs with the file's time at the beginning of the run. */
function read(run: RenderedRun) {
  const named = (pieces: RenderedRun['inputs']['sounds']) =>
    pieces.map(({ path, origin }) => `${path.replace('.mp4', '')} ${origin.toFixed(2)}`);
  return {
    from: (run.beginMs - beginMs) / 1000,
    seconds: run.seconds,
    tiles: run.scene.tiles.map(({ name, picture }) => (picture ? name : `${name}?`)),
    pictures: named(run.inputs.pictures),
    sounds: named(run.inputs.sounds),
  };
}

describe('planRender', () => {
  it('begins a run at each change of the sources, and reads each file at its own time', () => {
    const runs = plan([source('one', [[0, 4]]), source('two', [[1, 6]])]);
    expect(runs.map(read)).toEqual([
      { from: 0, seconds: 1, tiles: ['one'], pictures: ['one 0.00'], sounds: ['one 0.00'] },
      {
        ...{ from: 1, seconds: 3, tiles: ['one', 'two'] },
        ...{ pictures: ['one 1.00', 'two 0.00'], sounds: ['one 1.00', 'two 0.00'] },
      },
      { from: 4, seconds: 2, tiles: ['two'], pictures: ['two 3.00'], sounds: ['two 3.00'] },
    ]);
  });

  it('keeps the time of media after a gap, and the tile of a source that is away for less than 5 s', () => {
    const runs = plan([source('one', [[0, 2], [6, 8], [20, 21]]), source('two', [[0, 21]])]); // oxfmt-ignore
    expect(runs.map(read).map(({ from, tiles, pictures }) => [from, tiles, pictures])).toEqual([
      [0, ['one', 'two'], ['one 0.00', 'two 0.00']],
      [2, ['one?', 'two'], ['two 2.00']],
      [6, ['one', 'two'], ['one 2.00', 'two 6.00']],
      [8, ['two'], ['two 8.00']],
      [20, ['one', 'two'], ['one 4.00', 'two 20.00']],
    ]);
  });

  it('shows the background while all sources are away', () => {
    const [, away] = plan([source('one', [[0, 1], [9, 10]])]); // oxfmt-ignore
    expect(read(away!)).toEqual({ from: 1, seconds: 8, tiles: [], pictures: [], sounds: [] });
  });

  it('begins and ends runs at multiples of 100 ms, and pieces exactly', () => {
    const [first, second] = plan([source('one', [[0.03, 2.04]]), source('two', [[1.07, 2.04]])]);
    expect(read(first!)).toMatchObject({ from: 0, seconds: 1, sounds: ['one -0.03'] });
    expect(read(second!)).toMatchObject({ from: 1, seconds: 1.1, sounds: ['one 0.97', 'two -0.07'] });
    const piece = second!.inputs.sounds[1]!;
    expect([piece.begin, piece.end]).toEqual([0, expect.closeTo(0.97)]);
  });

  it('shows one picture of a source that another node has continued, and plays all sounds', () => {
    const runs = plan([source('a', [[0, 2.05]], { sourceID: 'ada' }), source('b', [[2, 4]], { sourceID: 'ada' })]);
    expect(runs.map(read).map(({ from, pictures, sounds }) => [from, pictures, sounds])).toEqual([
      [0, ['a 0.00'], ['a 0.00']],
      [2, ['b 0.00'], ['a 2.00', 'b 0.00']],
      [2.1, ['b 0.10'], ['b 0.10']],
    ]);
  });

  it('makes the chosen source large while it has media', () => {
    const sources = [source('one', [[0, 3]]), source('two', [[0, 3]])];
    const [run] = plan(sources, { composition: { ...style, layout: 'speaker' }, mainSourceID: 'two' });
    expect(run!.scene.tiles.map(({ name, width }) => [name, width])).toEqual([
      ['two', 498],
      ['one', 142],
    ]);
  });

  it('shows the chosen source also when others take all tiles', () => {
    const sources = Array.from({ length: 18 }, (_, i) => source(`s${i}`, [[0, 3]]));
    const [run] = plan(sources, { composition: { ...style, layout: 'speaker' }, mainSourceID: 's17' });
    const names = run!.scene.tiles.map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([16, 's17', 's14']);
  });

  it('uses only the media that files have, and only sound for a recording of sound', () => {
    const files: SourceFile[] = [
      { recordingID: 'one', path: 'one.mp4', kinds: ['video'], size },
      { recordingID: 'two', path: 'two.mp4', kinds: ['audio'] },
    ];
    const sources = [source('one', [[0, 3]]), source('two', [[0, 3]])];
    expect(plan(sources, {}, files).map(read)).toMatchObject([{ tiles: ['one'], sounds: ['two 0.00'] }]);
    const [heard] = plan(sources, { tracks: ['audio'] }, files);
    expect([read(heard!).pictures, read(heard!).sounds, heard!.scene.isAudioOnly]).toEqual([[], ['two 0.00'], true]);
  });

  it('has nothing to do without media', () => {
    expect(plan([source('one', [])])).toEqual([]);
  });
});

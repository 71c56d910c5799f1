import { planStoryboard, storyboardFile, storyboardParts, storyboardText } from './storyboard-file.js';

const jpeg = Buffer.from('picture');
const textOf = (durationSeconds: number, token = 'a.b') => {
  const file = storyboardFile(planStoryboard(durationSeconds), jpeg);
  const { vtt } = storyboardParts(file.length);
  return String(storyboardText(file.subarray(vtt.start, vtt.end + 1), token));
};

describe('the file of a storyboard', () => {
  it('has a cue with a rectangle for each picture, and the token in each address', () => {
    expect(textOf(5)).toBe(
      [
        ...['WEBVTT', '', '00:00:00.000 --> 00:00:02.000', 'storyboard.jpg?token=a.b#xywh=0,0,160,90', ''],
        ...['00:00:02.000 --> 00:00:04.000', 'storyboard.jpg?token=a.b#xywh=160,0,160,90', ''],
        ...['00:00:04.000 --> 00:00:05.000', 'storyboard.jpg?token=a.b#xywh=320,0,160,90', ''],
      ].join('\n'),
    );
  });

  it.each([
    [0, { intervalSeconds: 2, columns: 1, rows: 1 }],
    [25, { intervalSeconds: 2, columns: 10, rows: 2 }],
    [200, { intervalSeconds: 2, columns: 10, rows: 10 }],
    [201, { intervalSeconds: 3, columns: 10, rows: 7 }],
    [86_400, { intervalSeconds: 864, columns: 10, rows: 10 }],
  ])('of %s s has at most a hundred pictures', (seconds, plan) => {
    expect(planStoryboard(seconds)).toMatchObject(plan);
    expect(textOf(seconds).match(/-->/g)!.length).toBeLessThanOrEqual(plan.columns * plan.rows);
  });

  it('keeps the picture behind the text, also of the longest recording', () => {
    const file = storyboardFile(planStoryboard(864_000), jpeg);
    const { vtt, jpeg: range } = storyboardParts(file.length);
    expect(file.subarray(range.start, range.end + 1)).toEqual(jpeg);
    expect(String(file.subarray(vtt.start, vtt.end + 1))).toMatch(/xywh=1440,810,160,90\n\n+$/);
  });
});

import { compareSizes, SizeWatch, type SizeVerdict } from './size-watch.js';

const sizeOf = (text: string) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};

describe('compareSizes', () => {
  it.each([
    ['1280x720', '1280x720', undefined, 'none'],
    ['320x180', '1280x720', undefined, 'larger'],
    ['1280x720', '640x360', undefined, 'smaller'],
    ['640x360', '360x640', undefined, 'other-shape'],
    ['640x360', '640x480', undefined, 'other-shape'],
    ['426x240', '640x360', undefined, 'larger'],
    ['1280x720', '1920x1080', 720, 'none'],
    ['1920x1080', '1280x720', 720, 'none'],
    ['640x360', '1920x1080', 720, 'larger'],
    ['1920x1080', '640x360', 720, 'smaller'],
    ['1000x1000', '1040x1000', undefined, 'none'],
    ['1000x1000', '1060x1000', undefined, 'other-shape'],
    ['1000x1000', '1000x1040', undefined, 'none'],
    ['1000x1000', '1000x1060', undefined, 'other-shape'],
  ] as const)('of %s, then %s, capped at %s lines: %s', (encoded, size, maxHeight, expected) => {
    expect(compareSizes(sizeOf(encoded), sizeOf(size), maxHeight)).toBe(expected);
  });
});

/** `[ms, size of a keyframe or nothing, verdict]` */
type Step = [number, string | undefined, SizeVerdict];

const stories: { story: string; resizableFromMs?: number; steps: Step[] }[] = [
  {
    story: 'renews at the first keyframe after 3 s of a larger size',
    steps: [
      [0, '640x360', 'keep'],
      [2_900, '640x360', 'keep'],
      [3_000, '640x360', 'renew'],
    ],
  },
  {
    story: 'asks for a keyframe when none comes by itself',
    steps: [
      [0, '640x360', 'keep'],
      [2_990, undefined, 'keep'],
      [3_000, undefined, 'renew-at-keyframe'],
      [3_100, undefined, 'renew-at-keyframe'],
      [3_200, '640x360', 'renew'],
    ],
  },
  {
    story: 'counts growth in steps from its first step',
    steps: [
      [0, '480x270', 'keep'],
      [1_000, '640x360', 'keep'],
      [3_000, '1280x720', 'renew'],
    ],
  },
  {
    story: 'forgets a size that was only tried out',
    steps: [
      [0, '640x360', 'keep'],
      [2_000, '320x180', 'keep'],
      [4_000, undefined, 'keep'],
      [5_000, '640x360', 'keep'],
      [7_000, '640x360', 'keep'],
    ],
  },
  {
    story: 'counts anew when the size goes the other way',
    steps: [
      [0, '640x360', 'keep'],
      [2_000, '160x90', 'keep'],
      [4_000, '160x90', 'keep'],
      [5_000, '160x90', 'renew'],
    ],
  },
  {
    story: 'keeps the run for as long as the size stays',
    steps: [
      [0, '320x180', 'keep'],
      [10_000, undefined, 'keep'],
      [20_000, '320x180', 'keep'],
    ],
  },
  {
    story: 'keeps the run after a size that was only tried out',
    steps: [
      [0, '640x360', 'keep'],
      [2_000, '320x180', 'keep'],
      [6_000, undefined, 'keep'],
    ],
  },
  {
    story: 'waits until it may renew again',
    resizableFromMs: 10_000,
    steps: [
      [0, '640x360', 'keep'],
      [9_000, '640x360', 'keep'],
      [10_000, undefined, 'renew-at-keyframe'],
      [10_100, '640x360', 'renew'],
    ],
  },
  {
    story: 'renews at once when the shape is another',
    resizableFromMs: 10_000,
    steps: [[0, '180x320', 'renew']],
  },
];

describe('a watch over the size of a source that began with 320x180', () => {
  it.each(stories)('$story', ({ resizableFromMs, steps }) => {
    const watch = new SizeWatch(sizeOf('320x180'), { ...(resizableFromMs !== undefined && { resizableFromMs }) });
    const verdicts = steps.map(([timeMs, size]) => watch.onFrame({ timeMs, ...(size && { size: sizeOf(size) }) }));
    expect(verdicts).toEqual(steps.map(([, , verdict]) => verdict));
  });
});

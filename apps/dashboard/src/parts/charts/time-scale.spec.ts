import { knownParts, scaleTo, shownLabels, stacked } from './time-scale.js';

describe('the lines behind a chart', () => {
  it.each([
    [0, [0, 1]],
    [0.4, [0, 1]],
    [3, [0, 1, 2, 3]],
    [9, [0, 5, 10]],
    [70, [0, 20, 40, 60, 80]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('for %d are at %j', (most, lines) => {
    expect(scaleTo(most)).toEqual(lines);
  });
});

describe('the labels below a chart', () => {
  it('are all shown when they have room', () => {
    expect(shownLabels(3, 300, 60)).toEqual([0, 1, 2]);
  });

  it('are shown at even distances when not all have room', () => {
    expect(shownLabels(24, 300, 60)).toEqual([0, 5, 10, 15, 20]);
    expect(shownLabels(3, 0, 60)).toEqual([0]);
  });
});

it('stacked rows begin at the end of the row below', () => {
  expect(
    stacked([
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
  ).toEqual([
    [0, 0],
    [1, 2],
    [4, 6],
  ]);
});

it.each([
  [[], []],
  [[null, null], []],
  [
    [null, 5, 6, null, 7],
    [
      [
        [1, 5],
        [2, 6],
      ],
      [[4, 7]],
    ],
  ],
])('the known parts of %j have a gap at each unknown value', (values, parts) => {
  expect(knownParts(values)).toEqual(parts);
});

import { withEstimate } from './native-parts.mjs';

describe('the progress of the worker’s build', () => {
  it('tells the rest of the time', () => {
    expect(withEstimate('mediasoup-worker: compiled 20 %', 20_000)).toBe(
      'mediasoup-worker: compiled 20 %, about 80 s left',
    );
  });

  it.each(['mediasoup-worker: compiling', 'mediasoup-worker: compiled 0 %', 'mediasoup-worker: compiled 100 %'])(
    'adds nothing to "%s"',
    line => expect(withEstimate(line, 20_000)).toBe(line),
  );
});

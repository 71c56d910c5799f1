import { withEstimate } from './native-parts.mjs';

describe('the progress of the worker’s build', () => {
  it('tells the rest of the time', () => {
    expect(withEstimate('mediasoup-worker: compiled 50 of 250 files', 20_000)).toBe(
      'mediasoup-worker: compiled 50 of 250 files, about 80 s left',
    );
  });

  it('tells nothing more before the first files', () => {
    expect(withEstimate('mediasoup-worker: linking', 20_000)).toBe('mediasoup-worker: linking');
  });
});

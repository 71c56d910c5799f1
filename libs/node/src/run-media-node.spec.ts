import { openTogether } from './run-media-node.js';

/** A part that opens when the test says so. */
class Part {
  readonly opening: Promise<Part>;
  readonly closed: Promise<void>;
  open = (): void => undefined;
  private noteClose = (): void => undefined;

  constructor() {
    this.opening = new Promise(resolve => (this.open = () => resolve(this)));
    this.closed = new Promise(resolve => (this.noteClose = resolve));
  }

  close(): Promise<void> {
    this.noteClose();
    return Promise.resolve();
  }
}

describe('openTogether', () => {
  it('returns the parts in their order, whichever opens first', async () => {
    const [bus, engine] = [new Part(), new Part()];
    const both = openTogether(bus.opening, engine.opening);
    engine.open();
    bus.open();
    expect(await both).toEqual([bus, engine]);
  });

  it('fails at once when a part fails, though another one still waits', async () => {
    const waiting = new Part();
    const opening = openTogether(waiting.opening, Promise.reject(new Error('the port is taken')));
    await expect(opening).rejects.toThrow('the port is taken');
  });

  it('closes a part that had opened, and one that opens after the failure', async () => {
    const [early, late] = [new Part(), new Part()];
    early.open();
    const opening = openTogether(early.opening, late.opening, Promise.reject(new Error('no FFmpeg')));
    await expect(opening).rejects.toThrow('no FFmpeg');
    await early.closed;
    late.open();
    await late.closed;
  });
});

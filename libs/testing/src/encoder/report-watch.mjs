/**
 * A peer without RTCP for this long is dead. Receivers report on video at least every 1.5 s, and on
 * audio at least every 7.5 s (RFC 3550 section 6.2, mediasoup). So a lost report raises no alarm. ICE consent notices a death only
 * after 30 s.
 */
export const silentAfterMs = { audio: 10_000, video: 3_000 };
const lookEveryMs = 250;

/** @typedef {{ cancel(): void }} Timer */
/** @typedef {{ now(): number, every(milliseconds: number, action: () => void): Timer }} WatchClock */

/** @type {WatchClock} */
const systemClock = {
  now: () => performance.now(),
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds).unref();
    return { cancel: () => clearInterval(timer) };
  },
};

/** Calls `onSilent` once when no report has come for `limitMs`. It waits for the first report, because a service may send none. */
export class ReportWatch {
  /** @type {number | undefined} */
  #heardAt;
  #timer;
  #clock;

  /** @param {number} limitMs @param {() => void} onSilent @param {WatchClock} [clock] */
  constructor(limitMs, onSilent, clock = systemClock) {
    this.#clock = clock;
    let lookedAt = clock.now();
    this.#timer = clock.every(lookEveryMs, () => {
      const now = clock.now();
      // This process was blocked, and packets may wait.
      if (now - lookedAt > 4 * lookEveryMs && this.#heardAt !== undefined) this.#heardAt = now;
      lookedAt = now;
      if (this.#heardAt === undefined || now - this.#heardAt <= limitMs) return;
      this.close();
      onSilent();
    });
  }

  /** A report has come. */
  hear() {
    this.#heardAt = this.#clock.now();
  }

  /** Safe to call twice. */
  close() {
    this.#timer.cancel();
  }
}

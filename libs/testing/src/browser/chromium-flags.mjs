/** A page of the tests talks to nobody but the service: nothing of Chromium's own goes out. */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  // Pages of made-up origins may ask the services here, as they may ask public ones.
  '--ip-address-space-overrides=127.0.0.1:0=public',
];

/** @typedef {boolean | { framesPerSecond: number }} FakeMedia */

/** @param {FakeMedia} fakeMedia a camera and a microphone that need nobody's permission; default 30 frames a second */
export function chromiumFlags(fakeMedia) {
  if (!fakeMedia) return flags;
  const { framesPerSecond } = fakeMedia === true ? { framesPerSecond: 30 } : fakeMedia;
  const camera = `--use-fake-device-for-media-stream=fps=${framesPerSecond}`;
  return [...flags, camera, '--use-fake-ui-for-media-stream'];
}

/** Debian's Chromium, or the one of `CHROMIUM_PATH`. */
export function chromiumPath() {
  return process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
}

/** Disables Chromium's own requests, so that a test page reaches only the service. */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  // Pages of invented origins may send requests to local services, as to public ones.
  '--ip-address-space-overrides=127.0.0.1:0=public',
];

/** @typedef {boolean | { framesPerSecond: number }} FakeMedia */

/** @param {FakeMedia} fakeMedia a camera and a microphone without permission prompts; default 30 frames per second */
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

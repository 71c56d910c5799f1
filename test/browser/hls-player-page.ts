// The page that plays HLS by hls.js, shaka-player or the browser itself, as the test asks.
import Hls from 'hls.js';
import shakaModule from 'shaka-player';
import type { Played, PlayerName } from '../system/harness/hls-page.js';

// The package is CommonJS, and its types say otherwise.
const shaka = shakaModule as unknown as typeof shakaModule.default;

const faults: string[] = [];
const video = document.createElement('video');
Object.assign(video, { muted: true, autoplay: true, playsInline: true });
/**
 * Of Chromium's own player in a live broadcast. It counts the time without a picture, also before the first, as a pause. After a pause of
 * about a segment it seeks past the end and gives up. Viewers load the page again then.
 */
let restartsLeft = 0;
video.addEventListener('error', () => {
  if (video.duration === Infinity && restartsLeft-- > 0) video.load();
  else faults.push(`video: ${video.error?.code} ${video.error?.message}`);
});
document.body.append(video);

const starters: Record<PlayerName, (url: string) => Promise<void>> = {
  async 'hls.js'(url) {
    const player = new Hls();
    player.on(Hls.Events.ERROR, (_event, { type, details, fatal, error }) => {
      // Empty buffers and late answers are faults of a busy machine, and after a seek the player itself aborts a load.
      const isOfBroadcast = type === Hls.ErrorTypes.NETWORK_ERROR && !/aborted|TimeOut$/.test(details);
      if (fatal || isOfBroadcast) faults.push(`hls.js: ${type} ${details} ${error.message}`);
    });
    player.loadSource(url);
    player.attachMedia(video);
    await Promise.resolve();
  },
  async 'shaka-player'(url) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    await player.attach(video);
    // shaka-player 5.2 does not end if it loads a rendition for the first time after the broadcast's end.
    player.configure({ abr: { enabled: false } });
    player.addEventListener('error', (event: Event) => faults.push(`shaka-player: ${JSON.stringify(event)}`));
    await player.load(url);
  },
  async native(url) {
    restartsLeft = 5;
    video.src = url;
    await Promise.resolve();
  },
};

/** Tells how much the viewer has seen so far. */
function played(): Played {
  const { currentTime: seconds, videoHeight: height, ended, buffered, duration, readyState, paused } = video;
  const bufferedTo = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  const frames = video.getVideoPlaybackQuality().totalVideoFrames;
  return { frames, seconds, height, ended, state: { bufferedTo, duration, readyState, paused, restartsLeft }, faults };
}

function seek(seconds: number): void {
  video.currentTime = seconds;
}

Object.assign(globalThis, { hls: { play: (name: PlayerName, url: string) => starters[name](url), played, seek } });

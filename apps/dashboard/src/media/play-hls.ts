import { loadPart } from '../parts/messages.js';
import type { Media } from './use-media.js';

interface HlsEvents {
  /** The playlist has an end, and the player has reached it. */
  onEnd: () => void;
  onFatal: (what: string) => void;
}

/** Loads hls.js on first use. Safari plays HLS itself. */
export async function playHls(video: HTMLVideoElement, url: string, { onEnd, onFatal }: HlsEvents): Promise<Media> {
  const { default: Hls } = await loadPart(import('hls.js'));
  video.addEventListener('ended', onEnd);
  const forget = () => video.removeEventListener('ended', onEnd);
  if (!Hls.isSupported()) {
    video.src = url;
    const close = () => {
      forget();
      video.removeAttribute('src');
    };
    return { close };
  }
  const player = new Hls({ liveSyncDurationCount: 2, backBufferLength: 30 });
  player.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) onFatal(details);
  });
  player.loadSource(url);
  player.attachMedia(video);
  const close = () => {
    forget();
    player.destroy();
  };
  return { close };
}

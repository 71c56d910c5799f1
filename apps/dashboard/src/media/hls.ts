/** A broadcast that plays in a video element. */
export interface HlsPlaying {
  close(): void;
}

/** With hls.js, which is fetched when it is first needed; Safari plays HLS itself. */
export async function playHls(
  video: HTMLVideoElement,
  url: string,
  onFatal: (what: string) => void,
): Promise<HlsPlaying> {
  const { default: Hls } = await import('hls.js');
  if (!Hls.isSupported()) {
    video.src = url;
    return { close: () => video.removeAttribute('src') };
  }
  const player = new Hls({ liveSyncDurationCount: 2, backBufferLength: 30 });
  player.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) onFatal(details);
  });
  player.loadSource(url);
  player.attachMedia(video);
  return { close: () => player.destroy() };
}

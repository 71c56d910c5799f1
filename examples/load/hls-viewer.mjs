import { setTimeout as pause } from 'node:timers/promises';
import HLS from 'hls-parser';

/** @param {string} url @param {AbortSignal} signal */
async function fetchText(url, signal) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${response.status} ${new URL(url).pathname}`);
  return response.text();
}

/**
 * A player of the first rendition: reads the playlist once a segment and loads each new segment. It decodes nothing. Resolves with the
 * first segment.
 * @param {string} playbackUrl
 */
export async function openHlsViewer(playbackUrl) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const entry = HLS.parse(await fetchText(playbackUrl, signal));
  const [rendition] = 'variants' in entry ? entry.variants : [];
  if (!rendition) throw new Error('The broadcast has no rendition.');
  const playlistUrl = new URL(rendition.uri, playbackUrl).href;
  let [bytes, faults, newest] = [0, 0, -1];

  async function load() {
    const playlist = HLS.parse(await fetchText(playlistUrl, signal));
    const segments = 'segments' in playlist ? playlist.segments : [];
    // A player begins near the live edge.
    for (const { uri, mediaSequenceNumber } of newest < 0 ? segments.slice(-1) : segments) {
      if (mediaSequenceNumber <= newest) continue;
      const response = await fetch(new URL(uri, playlistUrl), { signal });
      bytes += (await response.arrayBuffer()).byteLength;
      if (!response.ok) faults++;
      newest = mediaSequenceNumber;
    }
    return ('targetDuration' in playlist ? playlist.targetDuration : undefined) ?? 1;
  }

  await load();
  const playing = (async () => {
    while (!signal.aborted) {
      const seconds = await load().catch(() => (signal.aborted || faults++, 1));
      await pause(seconds * 500, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    received: () => ({ bytes, faults }),
    async close() {
      stopping.abort();
      await playing;
    },
  };
}

import type { MediaRoom, PublishedTrack, ViewerTransport } from '../../media/media-engine.js';

const vp8 = { mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000, parameters: {}, rtcpFeedback: [] };

export const videoOffer = { mid: '0', codecs: [vp8], headerExtensions: [], encodings: [{ ssrc: 1 }], rtcp: {} };

export const videoCapabilities = { kind: 'video' as const, mid: '0', codecs: [vp8], headerExtensions: [] };

/** A viewer who is prepared for the track. */
export async function viewVideo(room: MediaRoom, track: PublishedTrack | undefined): Promise<ViewerTransport> {
  if (!track) throw new Error('Nobody publishes.');
  const viewer = await room.openViewer();
  await viewer.send(track, videoCapabilities);
  await viewer.connect({ role: 'client', fingerprints: [] });
  return viewer;
}

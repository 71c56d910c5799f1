/** Bits per second of H264 that FFmpeg encodes for WebRTC. Below, pictures break up; above, few viewers can receive them. */
const webrtcBitrates = { least: 300_000, most: 8_000_000 };

/** Keeps a bit rate within the bounds of WebRTC. `least`: of pictures that are made smaller for poor networks. */
export function boundedBitrate(wanted: number, least: number = webrtcBitrates.least): number {
  return Math.round(Math.min(Math.max(wanted, least), webrtcBitrates.most));
}

/** Packets of RTP with extensions, SRTP, UDP and IP headers fit into 1,280 bytes, the least MTU of IPv6. */
export const rtpPacketBytes = 1_200;

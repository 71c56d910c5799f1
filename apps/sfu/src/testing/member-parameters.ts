import type { RtpDescription } from '@rtms/contracts';

/** The parameters that mediasoup-client sends for a microphone or camera, shortened. */
export function makeRtpParameters(
  kind: 'audio' | 'video',
  mid: string = kind,
  changes: RtpDescription = {},
): RtpDescription {
  const audio = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };
  const video = { mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000 };
  const feedback = [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }];
  return {
    mid,
    codecs: [kind === 'audio' ? { ...audio, rtcpFeedback: [] } : { ...video, rtcpFeedback: feedback }],
    headerExtensions: [{ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1 }],
    encodings: kind === 'audio' ? [{ ssrc: 1001, dtx: true }] : [{ ssrc: 2001 }],
    rtcp: { cname: 'member', reducedSize: true },
    ...changes,
  };
}

/** A camera in three sizes (simulcast), by rid. */
export function makeSimulcastParameters(mid = 'camera'): RtpDescription {
  const encodings = ['q', 'h', 'f'].map(rid => ({ rid, scalabilityMode: 'L1T3', active: true }));
  return makeRtpParameters('video', mid, { encodings });
}

export function makeRtpCapabilities(): RtpDescription {
  return {
    codecs: [
      { kind: 'audio', mimeType: 'audio/opus', preferredPayloadType: 111, clockRate: 48_000, channels: 2 },
      { kind: 'video', mimeType: 'video/VP8', preferredPayloadType: 96, clockRate: 90_000 },
    ],
    headerExtensions: [],
  };
}

export function makeDtlsParameters(): Record<string, unknown> {
  const value = Array(32).fill('AB').join(':');
  return { role: 'server', fingerprints: [{ algorithm: 'sha-256', value }] };
}

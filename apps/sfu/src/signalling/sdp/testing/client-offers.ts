import type { MediaKind } from '@rtms/contracts';
import { buildOffer, type OfferOptions, type OfferSection } from './build-offer.js';

const mid = 'urn:ietf:params:rtp-hdrext:sdes:mid';
const transportWide = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
const sendTime = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';
const audioLevel = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level';
const fullFeedback = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'];

function h264(payloadType: number, profile: string, mode: number, rtx: number, feedback = fullFeedback) {
  const fmtp = `level-asymmetry-allowed=1;packetization-mode=${mode};profile-level-id=${profile}`;
  return { payloadType, name: 'H264/90000', fmtp, feedback, rtx };
}

type Changes = Partial<OfferOptions> & { kinds?: readonly MediaKind[] };

function offer(defaults: OfferOptions, { kinds = ['audio', 'video'], ...changes }: Changes = {}): string {
  const options = { ...defaults, ...changes };
  return buildOffer({ ...options, sections: options.sections.filter(({ kind }) => kinds.includes(kind)) });
}

const chromiumAudio: OfferSection = {
  kind: 'audio',
  mid: '0',
  attributes: ['rtcp-rsize'],
  extensions: [`1 ${audioLevel}`, `2 ${sendTime}`, `3 ${transportWide}`, `4 ${mid}`],
  formats: [
    { payloadType: 111, name: 'opus/48000/2', fmtp: 'minptime=10;useinbandfec=1', feedback: ['transport-cc'] },
    { payloadType: 63, name: 'red/48000/2', fmtp: '111/111' },
    { payloadType: 0, name: 'PCMU/8000' },
    { payloadType: 126, name: 'telephone-event/8000' },
  ],
};

const chromiumVideo: OfferSection = {
  kind: 'video',
  mid: '1',
  attributes: ['rtcp-rsize'],
  extensions: [
    `2 ${sendTime}`,
    `3 ${transportWide}`,
    `4 ${mid}`,
    '5 http://www.webrtc.org/experiments/rtp-hdrext/playout-delay',
    '10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
    '13 urn:3gpp:video-orientation',
  ],
  formats: [
    { payloadType: 96, name: 'VP8/90000', feedback: fullFeedback, rtx: 97 },
    { payloadType: 98, name: 'VP9/90000', fmtp: 'profile-id=0', feedback: fullFeedback, rtx: 99 },
    { payloadType: 100, name: 'VP9/90000', fmtp: 'profile-id=2', feedback: fullFeedback, rtx: 101 },
    h264(102, '42001f', 1, 103),
    h264(104, '42001f', 0, 107),
    h264(108, '42e01f', 1, 109),
    h264(116, '4d001f', 1, 117),
    { payloadType: 45, name: 'AV1/90000', fmtp: 'level-idx=5;profile=0;tier=0', feedback: fullFeedback, rtx: 46 },
    { payloadType: 118, name: 'red/90000', rtx: 119 },
  ],
};

/** Session-wide, as Chromium writes it. */
const chromium = { setup: 'actpass', sessionAttributes: ['extmap-allow-mixed', 'msid-semantic: WMS'] };

export function chromiumPublishes(changes?: Changes): string {
  const audio = { ...chromiumAudio, ssrc: 1001 };
  const video = { ...chromiumVideo, ssrc: 2001, rtxSsrc: 2002 };
  return offer({ ...chromium, direction: 'sendonly', sections: [audio, video] }, changes);
}

export function chromiumWatches(changes?: Changes): string {
  return offer({ ...chromium, direction: 'recvonly', sections: [chromiumAudio, chromiumVideo] }, changes);
}

/** Chromium with `sendEncodings`: no SSRC lines, layers by RID. */
export function chromiumPublishesLayers(): string {
  const layers = ['rid:h send', 'rid:l send', 'simulcast:send h;l'];
  const video = { ...chromiumVideo, attributes: ['rtcp-rsize', ...layers] };
  return offer({ ...chromium, direction: 'sendonly', sections: [{ ...chromiumAudio, ssrc: 1001 }, video] });
}

function firefoxSections(): OfferSection[] {
  const feedback = ['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc'];
  return [
    {
      kind: 'audio',
      mid: '0',
      attributes: ['extmap-allow-mixed'],
      extensions: [
        `1 ${audioLevel}`,
        '2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level',
        `3 ${mid}`,
        `7 ${transportWide}`,
      ],
      formats: [
        { payloadType: 109, name: 'opus/48000/2', fmtp: 'maxplaybackrate=48000;stereo=1;useinbandfec=1' },
        { payloadType: 9, name: 'G722/8000/1' },
      ],
      ssrc: 1001,
    },
    {
      kind: 'video',
      mid: '1',
      port: 0,
      attributes: ['bundle-only', 'rtcp-rsize', 'extmap-allow-mixed'],
      extensions: [`3 ${mid}`, `4 ${sendTime}`, `7 ${transportWide}`],
      formats: [
        { payloadType: 120, name: 'VP8/90000', fmtp: 'max-fs=12288;max-fr=60', feedback, rtx: 124 },
        { payloadType: 121, name: 'VP9/90000', fmtp: 'max-fs=12288;max-fr=60', feedback, rtx: 125 },
        { payloadType: 99, name: 'AV1/90000', feedback, rtx: 100 },
        {
          payloadType: 126,
          name: 'H264/90000',
          fmtp: 'profile-level-id=42e01f;packetization-mode=1',
          feedback,
          rtx: 127,
        },
      ],
      ssrc: 2001,
      rtxSsrc: 2002,
    },
  ];
}

export function firefoxPublishes(changes?: Changes): string {
  const sections = firefoxSections();
  return offer({ direction: 'sendonly', setup: 'actpass', fingerprintAt: 'session', sections }, changes);
}

export function firefoxWatches(): string {
  const sections = firefoxSections().map(({ ssrc: _ssrc, rtxSsrc: _rtx, ...section }) => section);
  return offer({ direction: 'recvonly', setup: 'actpass', fingerprintAt: 'session', sections });
}

/** FFmpeg's muxer: it is the DTLS server, and offers neither extensions nor keyframe requests. */
export function ffmpegPublishes(profile = '4d001f', changes?: Changes): string {
  const fmtp = `level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profile}`;
  const sections: OfferSection[] = [
    { kind: 'audio', mid: '0', formats: [{ payloadType: 111, name: 'opus/48000/2' }], ssrc: 1001 },
    { kind: 'video', mid: '1', formats: [{ payloadType: 106, name: 'H264/90000', fmtp }], ssrc: 2001 },
  ];
  return offer({ direction: 'sendonly', setup: 'passive', sections }, changes);
}

function gstreamerSections(audio: number, fmtp: string): OfferSection[] {
  const feedback = ['nack pli', 'ccm fir', 'transport-cc'];
  const attributes = ['rtcp-rsize', 'rtcp-mux-only'];
  const formats = [{ payloadType: audio, name: 'OPUS/48000/2', fmtp: 'sprop-stereo=1', feedback: ['transport-cc'] }];
  return [
    { kind: 'audio', mid: 'audio0', attributes, formats, ssrc: 1 },
    {
      kind: 'video',
      mid: 'video1',
      port: 0,
      attributes: ['bundle-only', ...attributes],
      formats: [{ payloadType: 96, name: 'H264/90000', fmtp, feedback }],
      ssrc: 2,
    },
  ];
}

export function gstreamerPublishes(): string {
  const fmtp = 'packetization-mode=1;sprop-parameter-sets=Z0LAH9oB==,aM48gA==;profile-level-id=42c01f';
  return offer({ direction: 'sendonly', setup: 'actpass', sections: gstreamerSections(100, fmtp) });
}

export function gstreamerWatches(): string {
  const sections = gstreamerSections(111, 'packetization-mode=1;profile-level-id=42e01f').map(
    ({ ssrc: _ssrc, ...section }) => section,
  );
  return offer({ direction: 'recvonly', setup: 'actpass', sections });
}

/** pion: video first, VP8 listed first whatever is sent, retransmission formats without a group of SSRCs. */
export function pionPublishes(): string {
  const feedback = ['goog-remb ', 'ccm fir', 'nack ', 'nack pli', 'nack ', 'nack pli', 'transport-cc '];
  const extensions = [`1 ${mid}`, '2 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id', `3 ${transportWide}`];
  const sections: OfferSection[] = [
    {
      kind: 'video',
      mid: '0',
      attributes: ['rtcp-rsize'],
      extensions,
      formats: [
        { payloadType: 96, name: 'VP8/90000', feedback, rtx: 97 },
        h264(102, '42001f', 1, 121, feedback),
        h264(123, '640032', 1, 118, feedback),
      ],
      ssrc: 2001,
    },
    { kind: 'audio', mid: '1', extensions, formats: [{ payloadType: 111, name: 'opus/48000/2' }], ssrc: 1001 },
  ];
  return offer({ direction: 'sendrecv', setup: 'actpass', fingerprintAt: 'session', sections });
}

/** OBS by libdatachannel. */
export function obsPublishes(): string {
  const fmtp = 'profile-level-id=64001f;packetization-mode=1;level-asymmetry-allowed=1';
  const sections: OfferSection[] = [
    {
      kind: 'audio',
      mid: '0',
      formats: [
        {
          payloadType: 111,
          name: 'opus/48000/2',
          fmtp: 'minptime=10;maxaveragebitrate=96000;stereo=1;sprop-stereo=1;useinbandfec=1',
        },
      ],
      ssrc: 1001,
    },
    {
      kind: 'video',
      mid: '1',
      formats: [{ payloadType: 96, name: 'H264/90000', fmtp, feedback: ['nack', 'nack pli', 'goog-remb'] }],
      ssrc: 2001,
    },
  ];
  return offer({ direction: 'sendonly', setup: 'actpass', fingerprintAt: 'session', sections });
}

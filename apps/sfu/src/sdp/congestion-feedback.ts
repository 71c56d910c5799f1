import type { RtpCodec, RtpHeaderExtension } from '../media/rtp-parameters.js';

type Feedback = RtpCodec['rtcpFeedback'];

const transportWide = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
const absoluteSendTime = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';

/** What we can act on; clients offer more than that. */
const understood = new Set(['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc']);

/** Whether the media engine acts on a feedback message. */
export function isUnderstood({ type, parameter }: Feedback[number]): boolean {
  return understood.has(parameter ? `${type} ${parameter}` : type);
}

/** One congestion control a stream: transport-wide where its extension is there, else REMB, which needs send times. */
export function usableFeedback(feedback: Feedback, extensions: readonly RtpHeaderExtension[]): Feedback {
  const has = (uri: string) => extensions.some(extension => extension.uri === uri);
  return feedback.filter(each => {
    if (each.type === 'transport-cc') return has(transportWide);
    if (each.type === 'goog-remb') return has(absoluteSendTime) && !has(transportWide);
    return isUnderstood(each);
  });
}

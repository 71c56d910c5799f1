import { isRtx, isSameCodec } from '../media/match-codec.js';
import type { SentTrack } from '../media/media-engine.js';
import type { RtpCodec } from '../media/rtp-parameters.js';
import type { AnsweredSection } from './build-answer.js';
import { isSameFeedback } from './parse-section.js';
import type { PublishedSection } from './publish-parameters.js';
import type { ViewedSection } from './receiver-capabilities.js';
import type { OfferedSection } from './session-offer.js';

/** A publisher's section: we receive every codec of its that the engine takes. */
export function answerPublished({ section, rtpParameters }: PublishedSection): AnsweredSection {
  const { codecs, headerExtensions } = rtpParameters;
  const { rids } = section;
  return {
    section,
    direction: 'recvonly',
    codecs: codecs.map(wishedParameters),
    headerExtensions,
    ...(rids && { rids }),
  };
}

/**
 * The offer's parameters come back, so that a profile, stereo and FEC stay; what only describes the offerer's own
 * bitstream is left out, and a publisher that has stereo to send is asked for it.
 */
function wishedParameters(codec: RtpCodec): RtpCodec {
  const { 'sprop-parameter-sets': _sets, ...parameters } = codec.parameters;
  const isStereo = codec.mimeType.toLowerCase() === 'audio/opus' && parameters['sprop-stereo'] === 1;
  return { ...codec, parameters: isStereo ? { ...parameters, stereo: 1 } : parameters };
}

/** A viewer's section that is sent a track: the track's formats by the offer's own entries. */
export function answerViewed({ section }: ViewedSection, sent: SentTrack, stream: string): AnsweredSection {
  const codecs = sent.rtpParameters.codecs.flatMap(codec => offeredEntry(section, codec) ?? []);
  const headerExtensions = sent.rtpParameters.headerExtensions.filter(({ id, uri }) =>
    section.headerExtensions.some(offered => offered.id === id && offered.uri === uri),
  );
  const ssrc = sentSsrc(section, sent);
  const msid = { stream, track: sent.trackID };
  return { section, direction: 'sendonly', codecs, headerExtensions, ...(ssrc && { ssrc }), msid };
}

/**
 * A publisher that comes back is sent under another SSRC. Chromium takes that up by its payload type only if the answer
 * named no SSRC; libdatachannel, which knows no mid extension, takes up nothing but the SSRC that the answer named.
 */
function sentSsrc(section: OfferedSection, { rtpParameters }: SentTrack): AnsweredSection['ssrc'] {
  const knowsMid = section.headerExtensions.some(({ uri }) => uri.endsWith(':sdes:mid'));
  const [encoding] = rtpParameters.encodings;
  if (knowsMid || encoding?.ssrc === undefined) return undefined;
  return { media: encoding.ssrc, rtx: encoding.rtx?.ssrc, cname: rtpParameters.rtcp.cname ?? 'rtms' };
}

/** The same number and, of the feedback, what both sides have. */
function offeredEntry(section: OfferedSection, sent: RtpCodec): RtpCodec | undefined {
  const offered = section.codecs.find(codec => codec.payloadType === sent.payloadType);
  if (!offered || isRtx(offered) !== isRtx(sent)) return undefined;
  const rtcpFeedback = offered.rtcpFeedback.filter(own =>
    sent.rtcpFeedback.some(theirs => isSameFeedback(own, theirs)),
  );
  return { ...offered, rtcpFeedback };
}

/** A section that nothing is sent on; one format must stand in it all the same. */
export function answerUnused(section: OfferedSection): AnsweredSection {
  const codecs = section.codecs.filter(codec => !isRtx(codec)).slice(0, 1);
  return { section, direction: 'inactive', codecs, headerExtensions: [] };
}

/** Whether a track fits what a viewer's answer listed, so that it may take the place of an earlier one. */
export function isListed(answered: AnsweredSection, codec: RtpCodec): boolean {
  return answered.codecs.some(own => own.payloadType === codec.payloadType && isSameCodec(own, codec));
}

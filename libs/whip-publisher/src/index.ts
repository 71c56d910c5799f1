export { endedReasons, keepPublished, type Publication, type PublicationEnd } from './keep-published.js';
export { kindOf, senderReport, videoStreams, type StreamName, type TimeReport } from './simulcast.js';
export { trySend, WhipPublisher, WhipRefusal, type WhipPublisherOptions, type WhipTarget } from './whip-publisher.js';

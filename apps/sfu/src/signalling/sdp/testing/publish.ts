import type { MediaKind } from '@rtms/contracts';
import type { LocalIce } from '../../../media/media-engine.js';
import { answeredSetup, answerPublished, buildAnswer } from '../build-answer.js';
import { parseOffer } from '../parse-offer.js';
import { toPublishedSections } from '../publish-parameters.js';

interface Published {
  sections: ReturnType<typeof toPublishedSections>;
  answer: string;
}

const ice: LocalIce = {
  usernameFragment: 'ours',
  password: 'our-password',
  candidates: [
    { foundation: 'udp', priority: 10, address: '192.0.2.1', port: 40000, protocol: 'udp' },
    { foundation: 'tcp', priority: 5, address: '192.0.2.1', port: 40000, protocol: 'tcp', tcpType: 'passive' },
  ],
};
const fingerprints = [{ algorithm: 'sha-256', value: 'AA:BB' }];

/** Answers the offer of a publisher, as WHIP does. */
export function publish(sdp: string, kinds: MediaKind[] = ['audio', 'video']): Published {
  const offer = parseOffer(sdp);
  const sections = toPublishedSections(offer, kinds);
  const setup = answeredSetup(offer.setup);
  return { sections, answer: buildAnswer(sections.map(answerPublished), { ice, fingerprints, setup }) };
}

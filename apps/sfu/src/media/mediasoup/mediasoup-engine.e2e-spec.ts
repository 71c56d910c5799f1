/** @weight 0.1 for 30 s */
import ndc from 'node-datachannel';
import { systemClock } from '@rtms/clock';
import { describeMediaEngine } from '../media-engine.contract.js';
import { describeViewers } from '../viewers.contract.js';
import { mediasoupUnderTest } from '../testing/mediasoup-under-test.js';
import { enginePayloadProfile } from '../codecs.js';
import { MediasoupEngine } from './mediasoup-engine.js';

afterAll(() => ndc.cleanup());

describeMediaEngine('MediasoupEngine', mediasoupUnderTest);
describeViewers('MediasoupEngine', mediasoupUnderTest);

describe('the router’s payload types', () => {
  it('are those of the payload profile, including RTX', async () => {
    const engine = await MediasoupEngine.start({ workers: 1, clock: systemClock });
    try {
      const router = await engine.workers[0]?.createRouter();
      const codecs = router?.rtpCapabilities.codecs ?? [];
      for (const wanted of enginePayloadProfile.codecs) {
        const own = codecs.find(codec => codec.preferredPayloadType === wanted.payloadType);
        expect([own?.mimeType, own?.clockRate, own?.channels]).toEqual([
          wanted.mimeType,
          wanted.clockRate,
          wanted.channels,
        ]);
        if (wanted.rtxPayloadType === undefined) continue;
        const rtx = codecs.find(codec => codec.parameters?.['apt'] === wanted.payloadType);
        expect(rtx?.preferredPayloadType).toBe(wanted.rtxPayloadType);
      }
    } finally {
      await engine.close();
    }
  });
});

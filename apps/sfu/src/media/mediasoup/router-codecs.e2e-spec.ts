/** @weight 0.3 */
import { systemClock } from '@rtms/clock';
import { enginePayloadProfile } from '../engine-codecs.js';
import { MediasoupEngine } from './mediasoup-engine.js';

describe('the router’s payload types', () => {
  it('are those of the payload profile, RTX included', async () => {
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

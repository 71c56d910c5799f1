/** @weight 0.2 for 30 s */
import type { HealthCode, MediaKind } from '@rtms/contracts';
import { systemClock } from '@rtms/clock';
import { EncoderPublisher, freePort, waitFor, type EncoderOptions } from '@rtms/testing';
import { MediasoupEngine } from './media/mediasoup/mediasoup-engine.js';
import { TestNode, TestPlane } from './testing/sfu-harness.js';

interface Fault {
  code: HealthCode;
  /** The faulty setting of the encoder, and the corrected setting. */
  wrong: Pick<EncoderOptions, 'keyframeInterval' | 'faults'>;
  right?: Pick<EncoderOptions, 'keyframeInterval'>;
  profile?: EncoderOptions['profile'];
  kinds?: MediaKind[];
}

const faults: Record<string, Fault> = {
  'B-frames': { code: 'b_frames', profile: 'high', wrong: { faults: { bFrames: 2 } } },
  'another profile than was offered': { code: 'profile_mismatch', wrong: { faults: { sentProfile: 'high' } } },
  'keyframes 20 s apart': {
    code: 'long_keyframe_interval',
    wrong: { keyframeInterval: 600 },
    right: { keyframeInterval: 30 },
  },
  'nothing to be heard': { code: 'silence', kinds: ['audio'], wrong: { faults: { silent: true } } },
  'lost packets of video': { code: 'high_loss', kinds: ['video'], wrong: { faults: { lostOfTen: 2 } } },
  'lost packets of audio': { code: 'high_loss', kinds: ['audio'], wrong: { faults: { lostOfTen: 2 } } },
  'a slow clock of video': { code: 'clock_drift', kinds: ['video'], wrong: { faults: { clockSpeed: 0.8 } } },
  'a fast clock of audio': { code: 'clock_drift', kinds: ['audio'], wrong: { faults: { clockSpeed: 1.25 } } },
};

const both: MediaKind[] = ['audio', 'video'];

describe('the health of an external session with a real encoder', () => {
  let plane: TestPlane;
  let node: TestNode<MediasoupEngine>;
  let base: string;
  const encoders: EncoderPublisher[] = [];
  /** All at a time, since each waits most of its time for what the service takes to be sure. */
  const runs = new Map<string, Promise<HealthCode>>();

  beforeAll(async () => {
    plane = await TestPlane.open(systemClock);
    const engine = await MediasoupEngine.start({ workers: 1, clock: systemClock });
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    node = await TestNode.openWith(plane, engine, { port, env: { PUBLIC_URL: base } });
    for (const [index, [name, fault]] of Object.entries(faults).entries()) {
      const run = comesAndGoes(fault, `ext_${index}`);
      run.catch(() => undefined);
      runs.set(name, run);
    }
  });

  afterAll(async () => {
    await Promise.all(encoders.map(encoder => encoder.vanish()));
    await node?.close();
  });

  async function publish(sessionID: string, kinds: MediaKind[], options: Partial<EncoderOptions>) {
    await node.openSession(sessionID, kinds);
    const [url, token] = [`${base}/whip/${sessionID}`, await plane.ingestToken(sessionID)];
    const wanted = { video: kinds.includes('video'), audio: kinds.includes('audio') };
    const encoder = await EncoderPublisher.publish({ url, token, size: '160x90', ...wanted, ...options });
    encoders.push(encoder);
    return encoder;
  }

  /** Leaves out the code for keyframe requests, which this kind of encoder never takes. */
  function healthOf(sessionID: string): HealthCode[] {
    const told = plane.factsOf(sessionID).filter(fact => fact.type === 'external_session.health');
    return (told.at(-1)?.health ?? []).filter(code => code !== 'no_keyframe_requests');
  }

  async function becomes(sessionID: string, codes: HealthCode[]): Promise<void> {
    const what = `the health to be [${codes.join()}]`;
    await waitFor(() => healthOf(sessionID).join() === codes.join(), { what });
  }

  async function comesAndGoes(
    { code, wrong, right, profile, kinds = both }: Fault,
    sessionID: string,
  ): Promise<HealthCode> {
    const encoder = await publish(sessionID, kinds, { ...wrong, ...(profile && { profile }) });
    await becomes(sessionID, [code]);
    await encoder.change({ faults: {}, ...right });
    await becomes(sessionID, []);
    return code;
  }

  it.each(Object.keys(faults))(
    'reports %s while the fault lasts, and nothing once the encoder is corrected',
    async name => {
      expect(await runs.get(name)).toBe(faults[name]?.code);
    },
  );
});

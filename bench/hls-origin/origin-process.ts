/** The origin alone: serves one broadcast of 720p, 360p and audio to tokens of the parent's key. */
import { createWriteStream } from 'node:fs';
import { systemClock } from '@rtms/clock';
import { createLogger } from '@rtms/logging';
import { TokenVerifier, type PublicKeySet } from '@rtms/tokens';
import { encodeFmp4 } from '../../test/media/fmp4.js';
import { publishRun, startOrigin } from '../../test/media/start-origin.js';

const sizes = [
  { name: '720p', width: 1280, height: 720 },
  { name: '360p', width: 640, height: 360 },
];

const verifier = new TokenVerifier(systemClock);
const logger = createLogger({ service: 'origin', level: 'info', destination: createWriteStream('/dev/null') });
const origin = await startOrigin(verifier, { logger });
const media = await encodeFmp4({ seconds: 20, segmentSeconds: 2, videos: sizes, audio: true, videoBitrate: 2_500_000 });
const presentation = await origin.present('bcast_1', { segmentSeconds: 2, windowSegments: 10 });
await publishRun(presentation, media, sizes);

// The parent first sends its keys. Then it asks how much processor time was used so far, in seconds.
process.on('message', (message: Partial<PublicKeySet>) => {
  if (message.keys) {
    verifier.setKeys({ keys: message.keys });
    process.send?.({ url: origin.url });
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

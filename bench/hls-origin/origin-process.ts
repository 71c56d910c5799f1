/** The origin alone: serves one broadcast of 720p, 360p and audio, and prints its address as one JSON line. */
import { createWriteStream } from 'node:fs';
import { createLogger } from '@rtms/logging';
import { makeHlsClaims, makeTokenPair } from '@rtms/testing';
import { formatSignedPath } from '@rtms/tokens';
import { encodeFmp4 } from '../../test/media/fmp4.js';
import { publishRun, startOrigin } from '../../test/media/start-origin.js';

const sizes = [
  { name: '720p', width: 1280, height: 720 },
  { name: '360p', width: 640, height: 360 },
];

const { signer, verifier } = await makeTokenPair();
// As the service runs: one log line a request.
const logger = createLogger({ service: 'origin', level: 'info', destination: createWriteStream('/dev/null') });
const origin = await startOrigin(verifier, { logger });
const media = await encodeFmp4({ seconds: 20, segmentSeconds: 2, videos: sizes, audio: true, videoBitrate: 2_500_000 });
const presentation = await origin.present('bcast_1', { segmentSeconds: 2, windowSegments: 10 });
await publishRun(presentation, media, sizes);
const claims = await makeHlsClaims(signer);
process.send?.({
  url: origin.url,
  entry: `/hls/bcast_1/index.m3u8?token=${await signer.sign(claims)}`,
  prefix: `/hls/bcast_1/${formatSignedPath(claims.path)}`,
});

// The parent asks how much processor time was used so far, in seconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));

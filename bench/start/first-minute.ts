// The time from `npm run demo` on an empty installation until a browser shows the first picture, by WHEP and by HLS. Chromium
// runs before. Everything else starts here: PostgreSQL, NATS, the services and the publisher. Prints one JSON line.
//   npm run bench:first-minute
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '@rtms/testing';

/** Nothing is set up yet on a clean clone: packages, media worker and build take minutes. */
const timeoutMs = 600_000;

const home = mkdtempSync(join(tmpdir(), 'rtms-first-minute-'));
const browser = await launchChromium({});
const begun = performance.now();
const since = (): number => Math.round((performance.now() - begun) / 100) / 10;
const anyPort = { GATEWAY_PORT: '0', SFU_PORT: '0', TRANSCODER_PORT: '0', INGEST_PORT: '0' };
const demo = spawn(process.execPath, ['tools/demo.mjs'], {
  env: { ...process.env, ...anyPort, RTMS_HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'exit');
try {
  const link = await Promise.race([printedLink(), ended.then(() => Promise.reject(new Error('the demo ended')))]);
  const linkSeconds = since();
  const page = await browser.newPage();
  await page.goto(link);
  const firstFrame = async (player: 'whep' | 'hls'): Promise<number> => {
    await page.waitForFunction(`demo.${player}.frames > 0`, undefined, { timeout: timeoutMs });
    return since();
  };
  const [whepSeconds, hlsSeconds] = await Promise.all([firstFrame('whep'), firstFrame('hls')]);
  console.log(JSON.stringify({ bench: 'first-minute', linkSeconds, whepSeconds, hlsSeconds, aimSeconds: 30 }));
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await ended;
  rmSync(home, { recursive: true });
}
process.exit();

/** The demo prints its page's address on a line of its own. */
function printedLink(): Promise<string> {
  let output = '';
  return new Promise(resolve => {
    demo.stdout.on('data', data => {
      output += String(data);
      process.stderr.write(String(data));
      const [, link] =
        /^ {2}(http:\/\/\S+)$/m.exec(output.slice(Math.max(0, output.indexOf('The demo is live')))) ?? [];
      if (link !== undefined && output.includes('The demo is live')) resolve(link);
    });
  });
}

// Debian's Firefox as a process of its own (see firefox.ts), driven by WebDriver BiDi
// (https://www.w3.org/TR/webdriver-bidi/), which Firefox speaks itself. This program runs in the browser's network
// namespace, because BiDi listens on the loopback address alone.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** @typedef {{ id: number, open?: string, call?: { expression: string } }} Order */

const [profile = '', address = ''] = process.argv.slice(2);

/** Firefox sends no requests of its own, and a page plays without a click. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'media.autoplay.default': 0,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.forceResolve': address,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': 'data:,',
};

const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
writeFileSync(join(profile, 'user.js'), lines.join(''));

const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
const command = ['--pdeathsig', 'KILL', 'firefox-esr', ...args];
const firefox = spawn('setpriv', command, {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...process.env, HOME: profile },
});
process.on('disconnect', () => process.exit());

const endpoint = await new Promise((resolve, reject) => {
  firefox.once('exit', code => reject(new Error(`Firefox ended with code ${code}`)));
  createInterface(firefox.stderr).on('line', line => {
    const [, url] = /WebDriver BiDi listening on (ws:.*)$/.exec(line) ?? [];
    if (url) resolve(`${url}/session`);
  });
});

const socket = new WebSocket(endpoint);
/** @type {Map<number, (message: { type: string, result: any, message: string }) => void>} */
const waiting = new Map();
let lastID = 0;
socket.onmessage = (/** @type {{ data: string }} */ { data }) => {
  const message = JSON.parse(data);
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
};
await new Promise(resolve => (socket.onopen = resolve));

/**
 * @param {string} method
 * @param {object} params
 * @returns {Promise<any>}
 */
function send(method, params) {
  const id = ++lastID;
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ type, result, message }) => (type === 'error' ? reject(new Error(message)) : resolve(result)));
    socket.send(JSON.stringify({ id, method, params }));
  });
}

await send('session.new', { capabilities: {} });
const { contexts } = await send('browsingContext.getTree', {});
const { context } = contexts[0];

/** @param {Order} order */
async function carryOut({ open, call }) {
  if (open) await send('browsingContext.navigate', { context, url: open, wait: 'complete' });
  if (!call) return undefined;
  const target = { context };
  const answer = await send('script.evaluate', { expression: call.expression, target, awaitPromise: true });
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
  return answer.result.value;
}

process.on('message', message => {
  const order = /** @type {Order} */ (message);
  carryOut(order).then(
    value => process.send?.({ id: order.id, value }),
    error => process.send?.({ id: order.id, error: String(error) }),
  );
});
process.send?.({ ready: true });

// npm run publish: sends a test picture or a file by WHIP until Ctrl-C. See `usage` below.
import { join } from 'node:path';
import { watchNpm } from './embedded/npm-parent.mjs';
import { ensureFfmpeg } from './setup/programs.mjs';
import { say } from './setup/progress.mjs';
import { homeDirectory, repositoryRoot } from './setup/repository.mjs';
import { reportFailure, StartFailure } from './setup/start-failure.mjs';

const usage = `Usage:
  npm run publish                     a test picture into a new room of the demo account (npm start must be running)
  npm run publish -- film.mp4         a file, looped
  npm run publish -- <URL> [file]     to any WHIP address; WHIP_TOKEN holds its token
`;

/** @param {string[]} args */
function readArguments(args) {
  const [url] = args.filter(isAddress);
  const files = args.filter(each => !isAddress(each));
  const token = process.env.WHIP_TOKEN;
  if (args.length - files.length > 1 || files.length > 1 || files[0]?.startsWith('-')) throw new StartFailure(usage);
  if (url === undefined) return { file: files[0] };
  if (!token) throw new StartFailure('WHIP_TOKEN is not set: set it to the token that belongs to the WHIP address.');
  return { file: files[0], ingest: { url, token } };
}

/** @param {string} text */
function isAddress(text) {
  return /^https?:\/\//.test(text);
}

async function main() {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return say(usage);
  const { file, ingest } = readArguments(args);
  // Needs the npm packages.
  const { kindsIn, Publication } = await import('./publisher/publication.mjs').catch(error => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartFailure(`A package is missing: run \`npm start\` or \`npm ci\` first (${error.message}).`);
  });
  const ffmpeg = await ensureFfmpeg(repositoryRoot, process.env);
  const kinds = await kindsIn(ffmpeg, file);
  const { openDemoSession } = await import('./publisher/demo-session.mjs');
  const home = homeDirectory(process.env);
  const target = ingest ? { ...ingest, close: async () => undefined } : await openDemoSession(home, kinds);
  const publication = new Publication({ ffmpeg, kinds, file }, target);
  const stop = () => publication.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(process.env, stop);
  if ('watch' in target) {
    say(`Watch at ${target.watch}\n(the sign-in of the demo account is in ${join(home, 'credentials.json')})`);
  }
  try {
    await publication.run();
  } finally {
    await target.close().catch(error => say(`The room could not be ended: ${error.message}`));
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

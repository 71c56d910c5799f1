import { join } from 'node:path';
import { watchNpm } from '../embedded/npm-parent.mjs';
import { ensureFfmpeg } from '../setup/programs.mjs';
import { say } from '../setup/progress.mjs';
import { homeDirectory, repositoryRoot } from '../setup/repository.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { openDemoSession } from './demo-session.mjs';
import { kindsIn, Publication } from './publication.mjs';

/** @typedef {{ url?: string, token?: string }} PublishOptions */

/**
 * Publishes until it is stopped, and ends what it opened.
 * @param {string | undefined} file
 * @param {PublishOptions} options
 */
export async function publish(file, options) {
  const given = givenTarget(options);
  const ffmpeg = await ensureFfmpeg(repositoryRoot, process.env);
  const kinds = await kindsIn(ffmpeg, file);
  const home = homeDirectory(process.env);
  const target = given ?? (await demoTarget(home, kinds));
  const publication = new Publication({ ffmpeg, kinds, file }, target.ingest);
  const stop = () => publication.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(process.env, stop);
  try {
    await publication.run();
  } finally {
    await target.close().catch(error => say(`The room could not be ended: ${error.message}`));
  }
}

/** @param {PublishOptions} options */
function givenTarget({ url, token }) {
  if (url === undefined) return undefined;
  if (token) return { ingest: { url, token }, close: async () => undefined };
  throw new StartFailure('The token is missing: give the one of the WHIP address with --token, or in WHIP_TOKEN.');
}

/** @param {string} home @param {string[]} kinds */
async function demoTarget(home, kinds) {
  const { ingest, watch, close } = await openDemoSession(home, kinds);
  say(`Watch at ${watch}\n(the sign-in of the demo account is in ${join(home, 'credentials.json')})`);
  return { ingest, close };
}

import { endedReasons } from '@rtms/whip-publisher';
import { atOrigin, GatewayApi, GatewayRefusal, readReady } from './gateway-api.mjs';

/** @typedef {{ sessionID: string, ingest: { url: string, token: string } }} OpenedSession */

/**
 * A room of the demo account with an external session in it, on the installation that `npm start` runs.
 * @param {string} home of the installation
 * @param {string[]} tracks kinds of media
 */
export async function openDemoSession(home, tracks) {
  const api = GatewayApi.ofDemoAccount(home);
  const { room } = /** @type {{ room: { meetingID: string } }} */ (
    await api.post('/v1/rooms', { action: 'create', userName: 'Publisher' })
  );
  const { meetingID } = room;
  const close = async () => void (await api.post('/v1/rooms', { action: 'end', meetingID }));
  const sessions = `/v1/meetings/${meetingID}/external-sessions`;
  const ask = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const answer = /** @type {{ externalSession: OpenedSession }} */ (await api.post(path, body));
    return answer.externalSession;
  };
  try {
    const { sessionID, ingest } = await ask(sessions, {
      displayName: 'Publisher',
      ingest: { protocol: 'whip', tracks },
    });
    const { dashboard, sfu } = readReady(home);
    // This machine needs no proxy, whose certificate Node.js may not trust.
    const local = (/** @type {OpenedSession['ingest']} */ { url, token }) => ({ url: atOrigin(sfu, url), token });
    const renew = async () => {
      try {
        return local((await ask(`${sessions}/${sessionID}`, { action: 'renewToken' })).ingest);
      } catch (error) {
        if (error instanceof GatewayRefusal && endedReasons.includes(error.reason)) return undefined;
        throw error;
      }
    };
    const watch = `${dashboard}/rooms/${meetingID}`;
    return { api, meetingID, sessionID, ingest: { ...local(ingest), renew }, watch, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

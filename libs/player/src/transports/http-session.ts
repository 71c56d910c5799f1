import { authorization, safeAddress } from './player-source.js';
import { failureIn, PlayerFailure, toFailure } from './failure.js';
import { restartedAnswer, restartFragment } from './ice-fragment.js';
import { eventsAddressIn, iceServersIn } from './links.js';
import { boundedText } from './response-body.js';

interface OfferOptions {
  url: string;
  token: string;
  /** Aborts the requests. It does not close the session. */
  signal?: AbortSignal;
}

/** An answered offer, as WHIP and WHEP have it. */
export interface HttpSession {
  /** Of the WHEP extension for server-sent events, if the server offers it. */
  readonly eventsUrl: string | undefined;
  /** Whether the server restarts ICE. */
  readonly mayRestart: boolean;
  /** Gives the connection a new network path. Rejects if the server refuses. */
  restartIce(): Promise<void>;
  /** Closes the connection and sends DELETE. Closing twice is safe. Never rejects. */
  close(): Promise<void>;
}

/** An answer has a few kilobytes. */
const longestAnswer = 256 * 1024;

/**
 * Sends the offer of a connection by HTTP POST and applies the answer (RFC 9725, draft-ietf-wish-whep). Candidates are gathered after
 * the answer, with its TURN servers: a media node learns them from the checks. Rejects with a `PlayerFailure`; the caller then closes
 * the connection.
 */
export async function offerOverHttp(connection: RTCPeerConnection, options: OfferOptions): Promise<HttpSession> {
  const { url } = options;
  const request = requestWith(options);
  const offer = await connection
    .createOffer()
    .catch((error: unknown) => Promise.reject(toFailure(error, 'unsupported')));
  const body = offer.sdp ?? '';
  const response = await request(url, { method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body });
  const location = locationOf(response, url);
  const links = response.headers.get('Link');
  await apply(connection, links, offer, await answerIn(response));
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    connection.close();
    // keepalive: the request also leaves when the page closes. An unreachable server detects the end by itself.
    const init = { method: 'DELETE', headers: authorization(options), keepalive: true };
    await fetch(location, init).catch(() => undefined);
  };
  return {
    eventsUrl: eventsAddressIn(links, location),
    mayRestart: response.headers.get('ETag') !== null,
    restartIce: () => restartIce(connection, location, request),
    close: () => (closed ??= close()),
  };
}

type Requesting = ReturnType<typeof requestWith>;

/** Resolves with an answer of success only. */
function requestWith(options: OfferOptions) {
  const { signal } = options;
  return async (address: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> => {
    const headers = { ...authorization(options), ...init.headers };
    const response = await fetch(address, { ...init, headers, ...(signal && { signal }) }).catch((error: unknown) =>
      Promise.reject(toFailure(error, 'unreachable')),
    );
    if (!response.ok) throw await failureIn(response);
    return response;
  };
}

async function restartIce(connection: RTCPeerConnection, location: string, request: Requesting): Promise<void> {
  const offer = await connection.createOffer({ iceRestart: true });
  const response = await request(location, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/trickle-ice-sdpfrag', 'If-Match': '*' },
    body: restartFragment(offer.sdp ?? ''),
  });
  const former = connection.currentRemoteDescription?.sdp ?? '';
  await apply(connection, response.headers.get('Link'), offer, restartedAnswer(former, await answerIn(response)));
}

/** The token goes to this address too. */
function locationOf(response: Response, url: string): string {
  const location = response.headers.get('Location');
  const address = location === null ? undefined : safeAddress(location, url);
  if (address === undefined)
    throw new PlayerFailure('bad_answer', 'The answer has no Location that is as safe as the address of the offer.');
  return address;
}

async function answerIn(response: Response): Promise<string> {
  const text = await boundedText(response, longestAnswer).catch((error: unknown) =>
    Promise.reject(toFailure(error, 'unreachable')),
  );
  if (text === undefined) throw new PlayerFailure('bad_answer', 'The answer is too long.');
  return text;
}

async function apply(
  connection: RTCPeerConnection,
  links: string | null,
  offer: RTCSessionDescriptionInit,
  sdp: string,
): Promise<void> {
  try {
    const iceServers = iceServersIn(links);
    if (iceServers.length > 0) connection.setConfiguration({ ...connection.getConfiguration(), iceServers });
    await connection.setLocalDescription(offer);
    await connection.setRemoteDescription({ type: 'answer', sdp });
  } catch (error) {
    throw toFailure(error, 'bad_answer');
  }
}

import { safeAddress } from './player-source.js';

interface Link {
  url: string;
  rel: string;
  parameters: Readonly<Record<string, string>>;
}

/** A server that sends more is broken. */
const mostLinks = 20;

/** Reads a `Link` header (RFC 8288). Ignores what is not a link. */
export function parseLinks(header: string | null): Link[] {
  const entries = (header ?? '').matchAll(/<([^<>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^",;\s]*))*)/g);
  return [...entries].slice(0, mostLinks).map(([, url = '', text = '']) => {
    const pairs = [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^",;\s]*))/g)];
    const parameters = Object.fromEntries(
      pairs.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']),
    );
    return { url: url.trim(), rel: parameters['rel'] ?? '', parameters };
  });
}

/** STUN and TURN servers (RFC 9725 section 4.6). */
export function iceServersIn(header: string | null): RTCIceServer[] {
  return parseLinks(header)
    .filter(({ rel, url }) => rel === 'ice-server' && /^(?:stun|turn)s?:/.test(url))
    .map(({ url, parameters: { username, credential } }) => ({
      urls: url,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
}

/** The address of the WHEP extension for server-sent events, if the server offers it. */
export function eventsAddressIn(header: string | null, base: string): string | undefined {
  const link = parseLinks(header).find(({ rel }) => rel === 'urn:ietf:params:whep:ext:core:server-sent-events');
  return link && safeAddress(link.url, base);
}

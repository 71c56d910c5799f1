export interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Whether any URL asks for it. */
  tls: boolean;
}

/**
 * Takes the credentials out of server URLs, as other NATS clients do: `user:password@`, or a token alone.
 * Those of the first server that has any count for all.
 */
export function parseServers(urls: string): NatsServers {
  const parsed = urls.split(',').map(url => new URL(withScheme(url.trim())));
  const servers = parsed.map(url => `${url.protocol}//${url.host}`);
  const tls = parsed.some(url => url.protocol === 'tls:');
  const owner = parsed.find(url => url.username !== '');
  if (!owner) return { servers, tls };
  const name = decodeURIComponent(owner.username);
  return owner.password
    ? { servers, tls, user: name, pass: decodeURIComponent(owner.password) }
    : { servers, tls, token: name };
}

function withScheme(url: string): string {
  return url.includes('://') ? url : `nats://${url}`;
}

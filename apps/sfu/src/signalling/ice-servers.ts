import type { IceServer } from '@rtms/config';

/** The value of a `Link` header that names them (RFC 9725 section 4.6); undefined without any. */
export function iceServerLinks(servers: readonly IceServer[]): string | undefined {
  const links = servers.flatMap(server => [server.urls].flat().map(url => toLink(url, server)));
  return links.length > 0 ? links.join(', ') : undefined;
}

function toLink(url: string, { username, credential }: IceServer): string {
  const parameters = [`<${url}>`, 'rel="ice-server"'];
  if (username !== undefined && credential !== undefined) {
    parameters.push(`username=${quote(username)}`, `credential=${quote(credential)}`, 'credential-type="password"');
  }
  return parameters.join('; ');
}

/** quoted-string of RFC 9110 section 5.6.4. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

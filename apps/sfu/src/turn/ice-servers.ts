import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { IceServer } from '@rtms/contracts';
import { CLOCK } from '@rtms/node';
import { SFU_CONFIG, type SfuConfig } from '../sfu.config.js';

/** Gives each session its own short-lived credentials for the TURN servers. */
@Injectable()
export class IceServers {
  constructor(
    @Inject(SFU_CONFIG) private readonly config: Pick<SfuConfig, 'turn'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns no server if no TURN is configured. The TURN server logs `id`: a session, a playback or a participant. */
  mint(id: string): IceServer[] {
    const { turn } = this.config;
    if (!turn) return [];
    const expiresAt = Math.floor(this.clock.now() / 1000) + turn.credentialSeconds;
    // Viewers of one playback differ, so that the TURN server's quota counts each of them.
    const name = `${id}-${randomBytes(4).toString('hex')}`;
    return [{ urls: turn.urls, ...turnCredentials(turn.secret, expiresAt, name) }];
  }

  /** The `Link` header (RFC 9725 section 4.6); undefined without servers. */
  link(id: string): string | undefined {
    const links = this.mint(id).flatMap(server => server.urls.map(url => toLink(url, server)));
    return links.length > 0 ? links.join(', ') : undefined;
  }
}

/** Credentials of a TURN server with `use-auth-secret` (draft-uberti-behave-turn-rest-00 section 2.2). */
export function turnCredentials(secret: string, expiresAt: number, name: string): Omit<IceServer, 'urls'> {
  const username = `${expiresAt}:${name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** URLs, names and base64 contain no character that a quoted-string must escape. */
function toLink(url: string, { username, credential }: IceServer): string {
  return `<${url}>; rel="ice-server"; username="${username}"; credential="${credential}"; credential-type="password"`;
}

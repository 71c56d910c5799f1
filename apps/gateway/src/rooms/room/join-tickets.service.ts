import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { JoinToken, ParticipantRole } from '@rtms/contracts';
import { z } from 'zod';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { time } from '../../platform/http/answers.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import type { Room } from '../records/room.entity.js';

export const joinTicketSchema = z
  .object({
    url: z.string().describe('Address of the room socket.'),
    token: z.string().describe('Short-lived token for the room socket.'),
    expiresAt: time.describe('When the token expires.'),
  })
  .meta({ id: 'JoinTicket', description: 'A ticket with which a participant connects to the room socket.' });
export type JoinTicket = z.infer<typeof joinTicketSchema>;

/** The participant that may open the socket. */
interface TicketHolder {
  /** `participantID` */
  id: string;
  role: ParticipantRole;
}

@Injectable()
export class JoinTicketsService {
  constructor(
    private readonly signingKeys: SigningKeysService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async issue(room: Pick<Room, 'id'>, { id, role }: TicketHolder): Promise<JoinTicket> {
    const expiresAt = Math.floor(this.clock.now() / 1000) + this.config.tokenTtlSeconds;
    const signer = await this.signingKeys.signer();
    const token = await signer.sign({
      purpose: 'join',
      resourceID: id,
      meetingID: room.id,
      expiresAt,
      role,
    });
    return { url: this.socketUrl(), token, expiresAt: new Date(expiresAt * 1000).toISOString() };
  }

  /** Throws UNAUTHORIZED for a ticket that is expired or forged. */
  async read(token: string): Promise<JoinToken> {
    return (await this.signingKeys.verify(token, 'join')) as JoinToken;
  }

  private socketUrl(): string {
    return `${this.config.publicUrl.replace(/^http/, 'ws')}/v1/socket`;
  }
}

import { Default } from '../../fields/default.decorator.js';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsHost } from '../../fields/host.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { sipTransports, type SipTransport } from '../sip-config.entity.js';

const portRule = { message: 'port must be a whole number from 1 to 65535.' };

export const sipPeerDefaults = { port: 5060, transport: 'UDP', register: false } as const;

export class SipPeerDto {
  @IsHost('host')
  host!: string;

  @IsOptional()
  @Max(65_535, portRule)
  @Min(1, portRule)
  @IsInt(portRule)
  @Default(sipPeerDefaults.port)
  port?: number | null;

  @IsOptional()
  @IsIn(sipTransports, { message: `transport must be one of: ${sipTransports.join(', ')}.` })
  @Default(sipPeerDefaults.transport)
  transport?: SipTransport | null;

  @IsOptional()
  @IsBoolean({ message: 'register must be true or false.' })
  @Default(sipPeerDefaults.register)
  register?: boolean | null;

  @IsOptional()
  @IsText('username', 1, 128)
  username?: string | null;

  /** Never answered. */
  @IsOptional()
  @IsText('password', 1, 256)
  password?: string | null;
}

import { Default } from '../../fields/default.decorator.js';
import { IsBoolean, IsOptional, Matches } from 'class-validator';
import { IsNested } from '../../fields/nested.decorator.js';
import { IsNetworks } from '../../fields/networks.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { SipPeerDto } from './sip-peer.dto.js';

/** E.164 has 15 digits at most; no country's numbers have fewer than 7. */
const telephoneNumber = /^\+[1-9]\d{6,14}$/;
const numberRule = { message: 'contactNumber must be a telephone number such as +14155550100.' };
const peerRule = { message: 'peer must be an object with a host.' };
const backupRule = { message: 'backupPeer must be an object with a host.' };

function trueOrFalse(field: string): { message: string } {
  return { message: `${field} must be true or false.` };
}

export const sipDefaults = {
  provider: null,
  supportSipActive: true,
  allowOutgoing: true,
  audioOnly: false,
  autoRecordSip: false,
  preferPCMA: false,
  allowedIPs: [],
  peer: null,
  encryptedPeerPassword: null,
  backupPeer: null,
  encryptedBackupPassword: null,
  agentID: null,
};

export class CreateSipConfigDto {
  @Matches(telephoneNumber, numberRule)
  contactNumber!: string;

  @IsOptional()
  @IsText('provider', 1, 64)
  provider?: string | null;

  @IsOptional()
  @IsBoolean(trueOrFalse('supportSipActive'))
  @Default(sipDefaults.supportSipActive)
  supportSipActive?: boolean | null;

  @IsOptional()
  @IsBoolean(trueOrFalse('allowOutgoing'))
  @Default(sipDefaults.allowOutgoing)
  allowOutgoing?: boolean | null;

  @IsOptional()
  @IsBoolean(trueOrFalse('audioOnly'))
  @Default(sipDefaults.audioOnly)
  audioOnly?: boolean | null;

  @IsOptional()
  @IsBoolean(trueOrFalse('autoRecordSip'))
  @Default(sipDefaults.autoRecordSip)
  autoRecordSip?: boolean | null;

  @IsOptional()
  @IsBoolean(trueOrFalse('preferPCMA'))
  @Default(sipDefaults.preferPCMA)
  preferPCMA?: boolean | null;

  @IsOptional()
  @IsNetworks('allowedIPs', 64)
  @Default(sipDefaults.allowedIPs)
  allowedIPs?: string[] | null;

  @IsOptional()
  @IsNested(() => SipPeerDto, peerRule)
  peer?: SipPeerDto | null;

  @IsOptional()
  @IsNested(() => SipPeerDto, backupRule)
  backupPeer?: SipPeerDto | null;

  @IsOptional()
  @IsText('agentID', 1, 64)
  agentID?: string | null;
}

import { z } from 'zod';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText, text } from '../../platform/http/fields.js';
import { sipConfigFields, sipPeerFields } from './present-sip-config.js';

export const sipPeerDefaults = { port: 5060, transport: 'UDP', register: false } as const;

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

const { host, ...otherPeerFields } = sipPeerFields;
const peer = z.strictObject(
  {
    host,
    ...optional(
      {
        ...otherPeerFields,
        password: text(1, 256).meta({
          description: 'Password at the peer. Answers never contain it.',
          examples: ['a-password'],
        }),
      },
      sipPeerDefaults,
    ),
  },
  { error: 'must be an object with a host.' },
);
export type SipPeerDto = z.infer<typeof peer>;

const { contactNumber, ...otherFields } = sipConfigFields;
const settable = {
  ...otherFields,
  peer: peer.describe('Peer of the carrier.'),
  backupPeer: peer.describe('Peer that is used when the first one fails.'),
};

export class CreateSipConfigDto extends Dto({ contactNumber, ...optional(settable, sipDefaults) }) {}

export class SipConfigIDDto extends Dto({ sipConfigID: idOf('a SIP configuration') }) {}

export class UpdateSipConfigDto extends Dto({
  sipConfigID: idOf('a SIP configuration'),
  ...optional({ contactNumber, ...settable }),
}) {}

export class GetSipConfigsDto extends Dto(optionalQuery({ sipConfigID: queryText(), contactNumber: queryText(16) })) {}

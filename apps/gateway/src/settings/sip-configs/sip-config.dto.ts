import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, host, idOf, matching, networks, oneOf, queryText, text, whole } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import { hiddenSecret } from '../../platform/secrets/mask-secret.js';
import { sipTransports, type SipConfig } from './sip-config.entity.js';

/** An E.164 number has at most 15 digits. No country has numbers with fewer than 7 digits. */
const telephoneNumber = matching(/^\+[1-9]\d{6,14}$/, 'must be a telephone number such as +14155550100.');

const sipPeerFields = {
  host: host.describe('Host name or IP address of the peer.'),
  port: whole(1, 65_535).meta({ description: 'Port of the peer.', examples: [5060] }),
  transport: oneOf(sipTransports).describe('Transport protocol.'),
  register: flag.describe('Whether the service registers at the peer to receive calls.'),
  username: text(1, 128)
    .nullable()
    .meta({ description: 'User name at the peer.', examples: ['trunk-1'] }),
};
/** A SIP peer that sends and receives the calls of a number. Its encrypted password has a column of its own. */
export type SipPeer = z.infer<z.ZodObject<typeof sipPeerFields>>;

export const sipConfigFields = {
  contactNumber: telephoneNumber.meta({
    description: 'Telephone number in E.164 format, unique in the account.',
    examples: ['+14155550100'],
  }),
  provider: text(1, 64)
    .nullable()
    .meta({ description: 'Name of the carrier.', examples: ['carrier-one'] }),
  supportSipActive: flag.describe('Whether the number takes part in calls.'),
  allowOutgoing: flag.describe('Whether the number may place calls.'),
  audioOnly: flag.describe('Whether calls carry audio only.'),
  autoRecordSip: flag.describe('Whether calls are recorded.'),
  preferPCMA: flag.describe('Whether G.711 A-law is offered before µ-law.'),
  allowedIPs: networks(64).describe('Networks that calls are accepted from, in CIDR notation. Empty: any network.'),
  agentID: text(1, 64).nullable().describe('The agent that answers calls.'),
};

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

const { host: peerHost, ...otherPeerFields } = sipPeerFields;
const peer = z.strictObject(
  {
    host: peerHost,
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

const sipPeerSchema = z
  .object({
    ...sipPeerFields,
    maskedPassword: z.string().nullable().describe('Placeholder for the password; null without a password.'),
  })
  .meta({ id: 'SipPeer', description: 'A SIP peer. Answers never contain its password.' });

export const sipConfigSchema = z
  .object({
    sipConfigID: identifier('sip'),
    ...sipConfigFields,
    peer: sipPeerSchema.nullable().describe('Peer of the carrier.'),
    backupPeer: sipPeerSchema.nullable().describe('Peer that is used when the first one fails.'),
    ...recordTimes,
  })
  .meta({ id: 'SipConfig', description: 'A telephone number of the account.' });

export function presentSipConfig(config: SipConfig): z.infer<typeof sipConfigSchema> {
  return {
    sipConfigID: config.id,
    ...presentFields({ ...sipConfigFields, ...recordTimes }, config),
    peer: presentPeer(config.peer, config.encryptedPeerPassword),
    backupPeer: presentPeer(config.backupPeer, config.encryptedBackupPassword),
  };
}

function presentPeer(peer: SipPeer | null, password: Buffer | null): z.infer<typeof sipPeerSchema> | null {
  if (peer === null) return null;
  return { ...presentFields(sipPeerFields, peer), maskedPassword: password === null ? null : hiddenSecret };
}

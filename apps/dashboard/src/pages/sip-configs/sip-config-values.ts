import { needed, wholeNumber } from '../../parts/field-rules.js';
import { sipConfigsTexts as texts } from '../../texts/sip-configs.js';
import { sipConfigs, type SipConfig, type SipFields, type SipPeer } from './sip-configs-api.js';

export interface PeerValues extends Pick<SipPeer, 'host' | 'port' | 'transport' | 'register'> {
  isUsed: boolean;
  username: string;
  /** Empty: the stored one stays. */
  password: string;
}

export interface SipValues extends Pick<
  SipConfig,
  'contactNumber' | 'supportSipActive' | 'allowOutgoing' | 'audioOnly' | 'autoRecordSip' | 'preferPCMA' | 'allowedIPs'
> {
  provider: string;
  agentID: string | null;
  peer: PeerValues;
  backupPeer: PeerValues;
}

const blankPeer: PeerValues = {
  isUsed: false,
  host: '',
  port: 5060,
  transport: 'UDP',
  register: false,
  username: '',
  password: '',
};

const blank: SipValues = {
  contactNumber: '',
  provider: '',
  supportSipActive: true,
  allowOutgoing: true,
  audioOnly: false,
  autoRecordSip: false,
  preferPCMA: false,
  allowedIPs: [],
  agentID: null,
  peer: blankPeer,
  backupPeer: blankPeer,
};

export function valuesOf(config: SipConfig | undefined): SipValues {
  if (!config) return blank;
  const { provider, peer, backupPeer, ...same } = config;
  return { ...same, provider: provider ?? '', peer: peerValuesOf(peer), backupPeer: peerValuesOf(backupPeer) };
}

function peerValuesOf(peer: SipPeer | null): PeerValues {
  if (!peer) return blankPeer;
  const { host, port, transport, register, username } = peer;
  return { isUsed: true, host, port, transport, register, username: username ?? '', password: '' };
}

const whenUsed =
  <Value>(rule: (value: Value) => string | null, which: 'peer' | 'backupPeer') =>
  (value: Value, values: SipValues) =>
    values[which].isUsed ? rule(value) : null;

const peerRules = (which: 'peer' | 'backupPeer') => ({
  host: whenUsed(needed(texts.hostNeeded), which),
  port: whenUsed(wholeNumber(1, 65_535, texts.portWrong), which),
});

export const sipRules = {
  contactNumber: (number: string) => (/^\+[1-9]\d{1,14}$/.test(number.trim()) ? null : texts.contactNumberWrong),
  peer: peerRules('peer'),
  backupPeer: peerRules('backupPeer'),
};

export function saveSipConfig(config: SipConfig | undefined, values: SipValues): Promise<SipConfig> {
  const fields = fieldsOf(values);
  return config ? sipConfigs.update({ sipConfigID: config.sipConfigID, ...fields }) : sipConfigs.create(fields);
}

function fieldsOf(values: SipValues): SipFields {
  const { contactNumber, provider, agentID, allowedIPs, peer, backupPeer } = values;
  const { supportSipActive, allowOutgoing, audioOnly, autoRecordSip, preferPCMA } = values;
  return {
    ...{ supportSipActive, allowOutgoing, audioOnly, autoRecordSip, preferPCMA, allowedIPs, agentID },
    contactNumber: contactNumber.trim(),
    provider: provider.trim() || null,
    peer: peerFieldsOf(peer),
    backupPeer: peerFieldsOf(backupPeer),
  };
}

/** A password that is left out stays while host and username do. */
function peerFieldsOf({ isUsed, password, username, ...rest }: PeerValues): NonNullable<SipFields['peer']> | null {
  if (!isUsed) return null;
  return { ...rest, username: username.trim() || null, ...(password !== '' && { password }) };
}

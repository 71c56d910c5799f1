import { customAlphabet } from 'nanoid';

/** Each kind of resource has its prefix, so that a reader of a log or a URL sees what an identifier names. */
export type IDPrefix =
  | 'acct'
  | 'room'
  | 'part'
  | 'ext'
  | 'trk'
  | 'play'
  | 'bcast'
  | 'rec'
  | 'key'
  | 'dom'
  | 'sub'
  | 'cred'
  | 'sip'
  | 'tcfg'
  | 'agent'
  | 'eset'
  | 'rset'
  | 'msg'
  | 'poll'
  | 'user'
  | 'dses'
  | 'dev'
  | 'audit';

/** 22 characters of 62 are 131 random bits; letters and digits alone are safe in a URL and in a bus subject. */
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 22);

export function newID(prefix: IDPrefix): string {
  return `${prefix}_${randomPart()}`;
}

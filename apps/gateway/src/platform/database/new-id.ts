import { customAlphabet } from 'nanoid';

/** Each kind of record has a prefix, so that a reader of a log or a URL recognises it. */
export type IDPrefix =
  | 'acct'
  | 'room'
  | 'part'
  | 'ext'
  | 'trk'
  | 'play'
  | 'bcast'
  | 'rec'
  | 'rstr'
  | 'key'
  | 'dom'
  | 'sub'
  | 'inv'
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
  | 'audit'
  | 'evt'
  | 'hook'
  | 'dlv';

/** 22 characters of 62 have 131 random bits. Letters and digits are safe in URLs and in subjects of the bus. */
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 22);

export function newID(prefix: IDPrefix): string {
  return `${prefix}_${randomPart()}`;
}

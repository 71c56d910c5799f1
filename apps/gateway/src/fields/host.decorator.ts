import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** A host name in ASCII, or an address without brackets. */
export function isHost(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 253) return false;
  if (isIP(value) !== 0) return !value.includes('%');
  const labels = value.split('.');
  // Digits alone at the end are a mistyped IPv4 address.
  return labels.every(each => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

export function IsHost(field: string): PropertyDecorator {
  const message = `${field} must be a host name or an IP address.`;
  return ValidateBy({ name: 'isHost', validator: { validate: isHost } }, { message });
}

import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

const prefixBits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** CIDR notation of IPv4 or IPv6 (RFC 4632, RFC 4291): `192.0.2.0/24`, `2001:db8::/32`. */
export function isNetwork(value: unknown): boolean {
  const [, address = '', bits = ''] =
    typeof value === 'string' ? (/^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(value) ?? []) : [];
  const most = prefixBits[isIP(address)];
  return most !== undefined && String(Number(bits)) === bits && Number(bits) <= most;
}

export function IsNetworks(field: string, max: number): PropertyDecorator {
  const validate = (value: unknown) => Array.isArray(value) && value.length <= max && value.every(isNetwork);
  const message = `${field} must be a list of at most ${max} networks such as 192.0.2.0/24.`;
  return ValidateBy({ name: 'isNetworks', constraints: [max], validator: { validate } }, { message });
}

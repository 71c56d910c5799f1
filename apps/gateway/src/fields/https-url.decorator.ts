import { ValidateBy } from 'class-validator';

const maxCharacters = 2048;

/** An https address in the form in which it can be used as it is; one that carries a password would be shown to readers. */
export function isHttpsURL(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxCharacters) return false;
  if (!/^https:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return protocol === 'https:' && hostname !== '' && username === '' && password === '';
}

export function IsHttpsURL(field: string): PropertyDecorator {
  const message = `${field} must be an https address of at most ${maxCharacters} characters, without a password.`;
  return ValidateBy({ name: 'isHttpsUrl', validator: { validate: isHttpsURL } }, { message });
}

import { cutText } from './characters.js';
import { fieldsOf, hasAny, listOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';

/** Where a call is handed to: a number or address, words for whoever completes it, or nothing that is known. */
interface Destination {
  number?: string;
  words?: string;
}

const unknownDestination: Destination = { words: 'a number that the definition does not name' };

/** Each destination of a transfer is listed: people hand over by human handoff, with the transfer on the number. */
export function listTransfer(
  name: string,
  destinations: readonly Destination[],
  findings: Findings,
  state?: string,
): void {
  for (const destination of destinations.length > 0 ? destinations : [unknownDestination]) {
    const where = describe(destination);
    findings.finish(
      'transfer',
      `Turn on human handoff and set the transfer “${cutText(name, 96)}” to ${where}.`,
      state,
    );
  }
}

function describe({ number = '', words }: Destination): string {
  const shown = cutText(number, 96);
  if (number === '') return words ?? 'a number that the definition does not name';
  if (number.includes('{{')) return `the number that the variable ${shown} holds`;
  return isDialable(number) ? shown : `a real number: ${shown} is a placeholder`;
}

/** A number as people write it, perhaps with digits to dial after it, or a SIP address; not one digit over and over. */
function isDialable(number: string): boolean {
  return !/(\d)\1{6}/.test(number) && /^(?:sips?:\S+|\+?[\d\s().-]{3,}(?:[,;x#*]+[\d,;#*wp]*)?)$/i.test(number);
}

/** Platform A: `destinations` of a `transferCall`, each a number, a SIP address or another assistant. */
export function destinationsA(tool: Fields): Destination[] {
  const all = [...listOf(tool.destinations), tool.destination].filter(one => one !== undefined && one !== null);
  const older = forwardingNumber(tool);
  const found = all.map(one => (typeof one === 'string' ? { number: one.trim() } : destinationA(fieldsOf(one))));
  return older === '' ? found : [...found, { number: older }];
}

export function forwardingNumber(fields: Fields): string {
  return textOf(fields.forwardingPhoneNumber) || textOf(fields.forwardingNumber);
}

function destinationA(fields: Fields): Destination {
  const number = textOf(fields.number) || textOf(fields.sipUri) || textOf(fields.phoneNumber);
  const extension = textOf(fields.extension);
  if (number !== '') return { number: extension === '' ? number : `${number},${extension}` };
  const assistant = textOf(fields.assistantName) || textOf(fields.assistantId);
  if (assistant !== '') return { words: `the assistant “${cutText(assistant, 96)}”, an agent of its own here` };
  if (textOf(fields.type) === 'dynamic') return { words: 'a number that a server chose during the call' };
  return unknownDestination;
}

/** Platform B: `transfer_destination`, or a plain `number` in older exports; some keep either in `parameters`. */
export function destinationsB(tool: Fields): Destination[] {
  const holder = hasAny(tool, ['transfer_destination', 'number']) ? tool : fieldsOf(tool.parameters);
  const destination = holder.transfer_destination;
  if (typeof destination === 'string') return [{ number: destination.trim() }];
  const { number, extension, prompt } = fieldsOf(destination);
  const dialled = textOf(number) || textOf(holder.number);
  if (dialled !== '') return [{ number: textOf(extension) === '' ? dialled : `${dialled},${textOf(extension)}` }];
  if (textOf(prompt) !== '') return [{ words: `whom the conversation asks for: “${cutText(textOf(prompt), 200)}”` }];
  return [unknownDestination];
}

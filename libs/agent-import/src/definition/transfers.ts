import { cutText } from '../findings/characters.js';
import type { Findings } from '../findings/findings.js';
import type { Place } from './place.js';

/** The target of a transfer: a number or address, another agent, or a prompt that finds it during the call. */
export type Destination =
  | { code: 'number'; number: string; path: string }
  | { code: 'agent'; agent: string; path: string }
  | { code: 'asked'; question: string; path: string }
  | { code: 'dynamic' | 'unknown'; path: string };

/** Lists each destination of a transfer. A person sets it up as a human handoff. */
export function listTransfer(name: string, destinations: readonly Destination[], findings: Findings): void {
  for (const destination of destinations) listDestination(cutText(name, 96), destination, findings);
}

function listDestination(tool: string, destination: Destination, findings: Findings): void {
  const { code, path } = destination;
  switch (code) {
    case 'number':
      return listNumber(tool, destination, findings);
    case 'agent':
      return findings.finish('transfer_agent', path, { tool, agent: cutText(destination.agent, 96) });
    case 'asked':
      return findings.finish('transfer_asked', path, { tool, question: cutText(destination.question, 200) });
    case 'dynamic':
      return findings.finish('transfer_dynamic', path, { tool });
    case 'unknown':
      return findings.finish('transfer_unknown', path, { tool });
    default:
      destination satisfies never;
  }
}

function listNumber(
  tool: string,
  { number, path }: Extract<Destination, { code: 'number' }>,
  findings: Findings,
): void {
  const shown = cutText(number, 96);
  if (number.includes('{{')) findings.finish('transfer_variable', path, { tool, variable: shown });
  else if (isDialable(number)) findings.finish('transfer_number', path, { tool, number: shown });
  else findings.finish('transfer_placeholder', path, { tool, number: shown });
}

/** Whether the text is a phone number, perhaps with an extension, or a SIP address. A number of one repeated digit is a placeholder. */
function isDialable(number: string): boolean {
  // The last pattern needs quadratic time, which is negligible for at most 96 characters.
  return (
    number.length <= 96 &&
    !/(\d)\1{6}/.test(number) &&
    /^(?:sips?:\S+|\+?[\d\s().-]{3,}(?:[,;x#*]+[\d,;#*wp]*)?)$/i.test(number)
  );
}

/** Platform A: `destinations` of a transfer or handoff, each a number, a SIP address, an assistant or a squad. */
export function destinationsA(tool: Place): Destination[] {
  const all = [...tool.at('destinations').items(), tool.at('destination')].filter(({ exists }) => exists);
  const found = [...all.map(destinationA), ...forwardingNumbers(tool)];
  return found.length > 0 ? found : [{ code: 'unknown', path: tool.path }];
}

export function forwardingNumbers(holder: Place): Destination[] {
  return ['forwardingPhoneNumber', 'forwardingNumber'].flatMap(name => {
    const { path } = holder.at(name);
    const number = holder.at(name).label();
    return number === '' ? [] : [{ code: 'number', number, path }];
  });
}

const numberNames = ['number', 'sipUri', 'phoneNumber'];
const agentNames = ['assistantName', 'assistantId', 'squadName', 'squadId'];

function destinationA(place: Place): Destination {
  const { path } = place;
  const number = place.label() || firstLabel(place, numberNames);
  if (number !== '') return { code: 'number', number: withExtension(number, place), path };
  const agent = firstLabel(place, agentNames) || firstLabel(place.at('assistant'), ['name']);
  if (agent !== '') return { code: 'agent', agent, path };
  return { code: place.at('type').label() === 'dynamic' ? 'dynamic' : 'unknown', path };
}

function firstLabel(place: Place, names: readonly string[]): string {
  return names.map(name => place.at(name).label()).find(text => text !== '') ?? '';
}

function withExtension(number: string, holder: Place): string {
  const extension = holder.at('extension').label();
  return extension === '' ? number : `${number},${extension}`;
}

/** Platform B: `transfer_destination`, or a plain `number` in older exports; some keep either in `parameters`. */
export function destinationB(tool: Place): Destination {
  const holder = tool.has(['transfer_destination', 'number']) ? tool : tool.at('parameters');
  const place = holder.at('transfer_destination');
  const path = place.exists ? place.path : tool.path;
  const number = place.label() || place.at('number').label() || holder.at('number').label();
  if (number !== '') return { code: 'number', number: withExtension(number, place), path };
  const agent = firstLabel(tool, ['agent_id']) || firstLabel(place, ['agent_id']) || agenticTarget(tool);
  if (agent !== '') return { code: 'agent', agent, path };
  const question = place.at('prompt').prose();
  return question === '' ? { code: 'unknown', path } : { code: 'asked', question, path };
}

/** The agent that screens the transfer, from the transfer's options. */
function agenticTarget(tool: Place): string {
  const agent = tool.at('transfer_option').at('agentic_transfer_config').at('transfer_agent');
  return firstLabel(agent, ['agent_id']);
}

/**
 * How the page writes numbers, durations and times. The page is in English, so its numbers are too: in the language of the browser,
 * "7,4 s" would stand beside "1,000 minutes". Times are in the time zone of the browser, with 24 hours.
 */
const language = 'en';

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** With at most one decimal: `1,234.5`. */
export function numberText(value: number): string {
  return numbers.format(value);
}

const shortNumbers = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });

/** For the margin of a chart, which has room for five characters: `5,000`, `12K`, `1.5M`. */
export function axisNumberText(value: number): string {
  return (Math.abs(value) < 10_000 ? numbers : shortNumbers).format(value);
}

/** `counted(1, 'viewer')` is "1 viewer". */
export function counted(count: number, name: string): string {
  return `${numberText(count)} ${name}${count === 1 ? '' : 's'}`;
}

/** Participants and active external sessions take places: "1 of 20". */
export function placesText({ participantCount, capacity }: { participantCount: number; capacity: number }): string {
  return `${numberText(participantCount)} of ${numberText(capacity)}`;
}

/** `1:02:03`, or `2:03` below an hour. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return 'Unknown';
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** For sentences: "45 seconds", "9 minutes". Rounds up, so that a user who waits waits long enough. */
export function waitText(seconds: number): string {
  return seconds < 120 ? counted(Math.ceil(seconds), 'second') : counted(Math.ceil(seconds / 60), 'minute');
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number | null): string {
  if (bytes === null) return 'Unknown';
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${numberText(bytes / 1000 ** power)} ${units[power] ?? ''}`;
}

const formats = {
  /** `Nov 24, 2026, 18:07` */
  short: { dateStyle: 'medium', timeStyle: 'short' },
  /** `Nov 24, 2026, 18:07:11` */
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
  /** `Nov 24, 2026, 18:07:11 GMT+1` */
  full: { dateStyle: 'medium', timeStyle: 'long' },
  /** `18:07`, below charts: `AM` and `PM` would not fit. */
  clock: { hour: '2-digit', minute: '2-digit' },
  /** `Nov 24, 18:07`, beside a pointer. */
  moment: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  /** `Nov 24`. The gateway cuts days in UTC. */
  utcDay: { month: 'short', day: 'numeric', timeZone: 'UTC' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type TimeFormat = keyof typeof formats;

const made = Object.fromEntries(
  Object.entries(formats).map(([name, options]) => [
    name,
    new Intl.DateTimeFormat(language, { ...options, hourCycle: 'h23' }),
  ]),
) as Record<TimeFormat, Intl.DateTimeFormat>;

export function timeText(time: Date | string, format: TimeFormat): string {
  return made[format].format(new Date(time));
}

/** The name of the browser's time zone: `Europe/Berlin`. */
export function timeZone(): string {
  return made.short.resolvedOptions().timeZone;
}

/** Whether a user's text is the address of a page or file, by http or https. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

export function isHttpsAddress(text: string): boolean {
  return isWebAddress(text) && /^https:/i.test(text);
}

import { frameTexts } from '../texts/frame.js';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the service in the words of whoever reads it. */
export function Time({ value, fallback = frameTexts.never }: { value: string | null | undefined; fallback?: string }) {
  if (value === null || value === undefined) return <>{fallback}</>;
  const date = new Date(value);
  return (
    <time dateTime={value} title={full.format(date)}>
      {short.format(date)}
    </time>
  );
}

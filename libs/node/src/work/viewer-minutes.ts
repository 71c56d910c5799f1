import type { Clock } from '@rtms/clock';
import { sampledMs } from '@rtms/contracts';

/** The gateway stores complete minutes. It may be away for this long without a gap. */
const keptMs = 5 * sampledMs;
/** A measurement that begins in the last second of a minute may end in the next one. */
const settlingMs = 5_000;
/** A minute has at most 400 bytes as JSON, so a page is less than half of NATS's 1 MB limit per message. */
const pageSize = 1_000;

/** The packed samples of a viewer in one minute. */
interface Minute {
  viewerID: string;
  /** ms since 1970. */
  minute: number;
  samples: number[];
}

interface Page<M> {
  minutes: M[];
  next: string;
  isLast: boolean;
}

/** The samples of viewers on a media node in the last five minutes, each under its playback or broadcast. */
export class ViewerMinutes<M extends Minute> {
  /** By the start of the minute, then by resource, then by the place in the order of pages. */
  private readonly minutes = new Map<number, Map<string, Map<string, M>>>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Adds numbers to the row that `empty` has as its beginning. */
  add(resourceID: string, empty: M, numbers: readonly number[]): void {
    const { minute } = empty;
    const resources = this.minutes.get(minute) ?? new Map<string, Map<string, M>>();
    this.minutes.set(minute, resources);
    const viewers = resources.get(resourceID) ?? new Map<string, M>();
    resources.set(resourceID, viewers);
    const place = placeOf(resourceID, empty);
    const known = viewers.get(place) ?? empty;
    known.samples.push(...numbers);
    viewers.set(place, known);
  }

  /** Deletes minutes that are too old. */
  prune(): void {
    for (const minute of this.minutes.keys()) if (minute < this.clock.now() - keptMs) this.minutes.delete(minute);
  }

  /** Complete minutes of all viewers behind the place `after`, oldest first, so that each is read once. */
  complete(after: string): Page<M> {
    const newest = this.clock.now() - sampledMs - settlingMs;
    const afterMinute = Number.parseInt(after, 10) || 0;
    const wanted = [...this.minutes]
      .filter(([minute]) => minute <= newest && minute >= afterMinute)
      .sort(([one], [other]) => one - other)
      .flatMap(([, resources]) =>
        [...resources.values()].flatMap(each => [...each]).sort(([one], [other]) => (one < other ? -1 : 1)),
      )
      .filter(([place]) => place > after);
    const page = wanted.slice(0, pageSize);
    const next = page.at(-1)?.[0] ?? after;
    return { minutes: page.map(([, each]) => each), next, isLast: page.length === wanted.length };
  }

  /** All minutes of the first viewers of a resource behind `afterViewer`, oldest first. */
  of(resourceID: string, afterViewer: string, viewers: number): M[] {
    const all = [...this.minutes.values()].flatMap(each => [...(each.get(resourceID)?.values() ?? [])]);
    const own = all.filter(({ viewerID }) => viewerID > afterViewer);
    const wanted = new Set([...new Set(own.map(({ viewerID }) => viewerID))].sort().slice(0, viewers));
    return own.filter(({ viewerID }) => wanted.has(viewerID)).sort((one, other) => one.minute - other.minute);
  }
}

function placeOf(resourceID: string, { minute, viewerID }: Pick<Minute, 'minute' | 'viewerID'>): string {
  return `${minute} ${resourceID} ${viewerID}`;
}

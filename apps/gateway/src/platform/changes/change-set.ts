import { dashboardEventKinds } from '@rtms/contracts';

/** `roomLog`: the log of a room has new events. `connection`: a participant has a new connection to a gateway. */
const changeKinds = [...dashboardEventKinds, 'roomLog', 'connection'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A resource was created, changed or deleted. */
export interface ResourceChange {
  kind: ChangeKind;
  /** A room's log has the ID of the room. null: any number of resources of this kind. */
  id: string | null;
  /** null: of any account. The change of a room's log names no account. */
  accountID: string | null;
  /** Only for `connection`: the participant, whose other connections end. */
  participantID?: string | undefined;
}

/** A replica of a newer version may announce other kinds. */
export function isKnownChange(change: { kind: string }): change is ResourceChange {
  return (changeKinds as readonly string[]).includes(change.kind);
}

/** Above this number, the changes of one kind and account become one change without an ID. */
const namedAtMost = 100;
/** 2,000 changes are about 250 kB of JSON; NATS takes messages of 1 MB. */
const changesAtMost = 2_000;

/** The change that stands for any number of changes of a kind. */
export function anyOf(kind: ChangeKind, accountID: string | null = null): ResourceChange {
  return { kind, id: null, accountID };
}

/** A change of anything: events may have been lost. */
export const anything: readonly ResourceChange[] = changeKinds.map(kind => anyOf(kind));

/** Changes that wait to be sent together. Each resource is in it once, and its size is bounded. */
export class ChangeSet {
  private groups = new Map<string, Map<string | null, ResourceChange>>();
  private size = 0;

  get isEmpty(): boolean {
    return this.size === 0;
  }

  add(change: ResourceChange): void {
    const { kind, accountID } = change;
    const key = `${kind} ${accountID ?? ''}`;
    const group = this.groups.get(key) ?? new Map<string | null, ResourceChange>();
    this.groups.set(key, group);
    if (group.has(null)) return;
    const before = group.size;
    if (change.id === null || (before === namedAtMost && !group.has(change.id))) {
      group.clear();
      group.set(null, anyOf(kind, accountID));
    } else group.set(change.id, change);
    this.size += group.size - before;
    if (this.size > changesAtMost) this.generalise();
  }

  /** Empties the set. */
  take(): ResourceChange[] {
    const changes = [...this.groups.values()].flatMap(group => [...group.values()]);
    this.groups.clear();
    this.size = 0;
    return changes;
  }

  private generalise(): void {
    const kinds = new Set(this.take().map(({ kind }) => kind));
    for (const kind of kinds) this.add(anyOf(kind));
  }
}

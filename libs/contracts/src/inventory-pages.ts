import type { SfuInventory } from './sfu-commands.js';

/** Which part of its inventory an SFU node is asked for. */
export interface InventoryQuery {
  /** Entries in the answer, at most. A gateway of a former version leaves it out, and gets all in one message. */
  atMost?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** Some 110 bytes each: a page is a third of the 1 MB that NATS takes in one message. */
export const inventoryPageSize = 3_000;

interface Entry {
  /** Pages are in this order, so that an entry that stays is in exactly one page, whatever comes and goes meanwhile. */
  place: string;
  size: number;
  addTo: (page: SfuInventory) => unknown;
}

/** The part of an inventory that was asked for; `next` is set unless it is the last one. */
export function pageOfInventory(inventory: SfuInventory, { atMost, after = '' }: InventoryQuery): SfuInventory {
  if (atMost === undefined) return inventory;
  const entries = entriesOf(inventory).filter(({ place }) => place > after);
  entries.sort((one, other) => (one.place < other.place ? -1 : 1));
  const page: SfuInventory = { epoch: inventory.epoch, meetingIDs: [], sessions: [], playbacks: [], members: [] };
  let left = atMost;
  for (const [index, { size, addTo }] of entries.entries()) {
    const previous = entries[index - 1];
    // The first entry is always taken, so that each page goes on.
    if (previous && size > left) return { ...page, next: previous.place };
    addTo(page);
    left -= size;
  }
  return page;
}

function entriesOf({ meetingIDs, sessions, playbacks, members }: SfuInventory): Entry[] {
  return [
    ...meetingIDs.map(id => ({ place: `1 ${id}`, size: 1, addTo: (page: SfuInventory) => page.meetingIDs.push(id) })),
    ...sessions.map(each => ({
      place: `2 ${each.sessionID}`,
      size: 1,
      addTo: (page: SfuInventory) => page.sessions.push(each),
    })),
    ...playbacks.map(each => ({
      place: `3 ${each.playbackID}`,
      size: 1,
      addTo: (page: SfuInventory) => page.playbacks.push(each),
    })),
    ...members.map(each => ({
      place: `4 ${each.participantID}`,
      size: 1 + each.trackIDs.length,
      addTo: (page: SfuInventory) => page.members.push(each),
    })),
  ];
}

/** Adds a page to the pages before it. Throws when the node has restarted in between. */
export function addPage(pages: SfuInventory, { epoch, meetingIDs, sessions, playbacks, members }: SfuInventory): void {
  if (epoch !== pages.epoch) throw new Error('The node restarted while it was asked for its inventory.');
  pages.meetingIDs.push(...meetingIDs);
  pages.sessions.push(...sessions);
  pages.playbacks.push(...playbacks);
  pages.members.push(...members);
}

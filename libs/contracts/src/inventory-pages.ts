import type { SfuInventory } from './sfu-commands.js';

/** A page of an SFU node's inventory. */
export interface InventoryQuery {
  /** Maximum of entries. Gateways of earlier versions omit it and get all entries in one message. */
  atMost?: number;
  /** `next` of the page before. */
  after?: string;
}

/** An entry has about 110 bytes, so a page is a third of NATS's 1 MB limit per message. */
export const inventoryPageSize = 3_000;

interface Entry {
  /** Sort key of the pages. A stable entry is in exactly one page, even if other entries change meanwhile. */
  place: string;
  size: number;
  addTo: (page: SfuInventory) => unknown;
}

/** Returns the requested page. The last page has no `next`. */
export function pageOfInventory(inventory: SfuInventory, { atMost, after = '' }: InventoryQuery): SfuInventory {
  if (atMost === undefined) return inventory;
  const entries = entriesOf(inventory).filter(({ place }) => place > after);
  entries.sort((one, other) => (one.place < other.place ? -1 : 1));
  const page: SfuInventory = { ...inventory, meetingIDs: [], sessions: [], playbacks: [], members: [] };
  let left = atMost;
  for (const [index, { size, addTo }] of entries.entries()) {
    const previous = entries[index - 1];
    // Always take the first entry, so that each page advances.
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

/** Appends a page. Throws if the node has restarted since the first page. */
export function addPage(pages: SfuInventory, { epoch, meetingIDs, sessions, playbacks, members }: SfuInventory): void {
  if (epoch !== pages.epoch) throw new Error('The node restarted while its inventory was read.');
  pages.meetingIDs.push(...meetingIDs);
  pages.sessions.push(...sessions);
  pages.playbacks.push(...playbacks);
  pages.members.push(...members);
}

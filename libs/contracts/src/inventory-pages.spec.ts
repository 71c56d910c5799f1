import { addPage, inventoryPageSize, pageOfInventory } from './inventory-pages.js';
import type { SfuInventory } from './sfu-commands.js';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** IDs with the length of real ones. */
const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(22, 'x')}`;

function makeInventory(count: number): SfuInventory {
  return {
    epoch: 100,
    meetingIDs: numbers(count).map(n => idOf('room', n)),
    sessions: numbers(count).map(n => ({ sessionID: idOf('ext', n), meetingID: idOf('room', n), state: 'pending' })),
    playbacks: numbers(count).map(n => ({ playbackID: idOf('play', n), sessionID: idOf('ext', n), state: 'active' })),
    members: numbers(count).map(n => ({
      participantID: idOf('part', n),
      meetingID: idOf('room', n),
      trackIDs: [idOf('trk', n), idOf('trk', n + count)],
    })),
    relayedViewers: 12,
  };
}

/** Reads all pages. `between` changes the inventory before each further page. */
function readPages(inventory: SfuInventory, atMost: number, between: () => void = () => undefined): SfuInventory[] {
  const pages = [pageOfInventory(inventory, { atMost })];
  for (let after = pages[0]?.next; after !== undefined; after = pages.at(-1)?.next) {
    between();
    pages.push(pageOfInventory(inventory, { atMost, after }));
  }
  return pages;
}

describe('pages of an inventory', () => {
  it('together contain the whole inventory', () => {
    const inventory = makeInventory(50);
    const [first, ...others] = readPages(inventory, 7);
    const { next: _, ...all } = first!;
    for (const page of others) addPage(all, page);
    for (const list of ['meetingIDs', 'sessions', 'playbacks', 'members'] as const) {
      const sorted = (entries: readonly unknown[]) => entries.map(entry => JSON.stringify(entry)).toSorted();
      expect(sorted(all[list])).toEqual(sorted(inventory[list]));
    }
  });

  it('fit a message of NATS, however much the node holds', () => {
    const pages = readPages(makeInventory(20_000), inventoryPageSize);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(512 * 1024);
  });

  it('contain each stable entry exactly once while other entries change', () => {
    const inventory = makeInventory(50);
    let round = 0;
    const pages = readPages(inventory, 10, () => {
      inventory.sessions.splice(0, 3);
      inventory.sessions.unshift({ sessionID: idOf('aaa', (round += 1)), meetingID: 'room_1', state: 'pending' });
    });
    const seen = pages.flatMap(({ playbacks }) => playbacks.map(({ playbackID }) => playbackID));
    expect(seen.toSorted()).toEqual(inventory.playbacks.map(({ playbackID }) => playbackID).toSorted());
  });

  it('continue after an entry that is larger than a page', () => {
    const trackIDs = numbers(20).map(n => idOf('trk', n));
    const large = { participantID: 'part_1', meetingID: 'room_1', trackIDs };
    const inventory = { ...makeInventory(0), members: [large, { ...large, participantID: 'part_2' }] };
    expect(readPages(inventory, 5).map(({ members }) => members.length)).toEqual([1, 1]);
  });

  it('are not used for a gateway of an earlier version', () => {
    const inventory = makeInventory(5_000);
    expect(pageOfInventory(inventory, {})).toBe(inventory);
  });

  it('are refused if the node restarted in between', () => {
    expect(() => addPage(makeInventory(1), { ...makeInventory(1), epoch: 101 })).toThrow('restarted');
  });
});

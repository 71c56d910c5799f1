import { anyOf, ChangeSet, type ResourceChange } from './change-set.js';

const room = (number: number, accountID = 'acc_1'): ResourceChange => ({
  kind: 'room',
  id: `room_${number}`,
  accountID,
});
const setOf = (changes: readonly ResourceChange[]): ChangeSet => {
  const set = new ChangeSet();
  for (const change of changes) set.add(change);
  return set;
};
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('a set of changes', () => {
  it('has each resource once, and is empty after it was taken', () => {
    const set = setOf([room(1), room(2), room(1), room(1, 'acc_2'), { ...room(1), kind: 'recording' }]);
    expect(set.take()).toEqual([room(1), room(2), room(1, 'acc_2'), { ...room(1), kind: 'recording' }]);
    expect(set.isEmpty).toBe(true);
    expect(set.take()).toEqual([]);
  });

  it('names up to 100 resources of one kind and account', () => {
    const all = numbers(100).map(number => room(number));
    expect(setOf([...all, room(7)]).take()).toEqual(all);
    expect(setOf([...all, room(100), room(101), room(1, 'acc_2')]).take()).toEqual([
      anyOf('room', 'acc_1'),
      room(1, 'acc_2'),
    ]);
  });

  it('has up to 2,000 changes, and above them the kinds alone', () => {
    const all = numbers(2_000).map(number => room(0, `acc_${number}`));
    expect(setOf(all).take()).toEqual(all);
    expect(setOf([...all, { ...room(0), kind: 'domain' }]).take()).toEqual([anyOf('room'), anyOf('domain')]);
  });

  it('stays bounded after that', () => {
    const set = setOf(numbers(5_000).map(number => room(0, `acc_${number}`)));
    expect(set.take().length).toBeLessThanOrEqual(2_000);
    set.add(room(1));
    expect(set.take()).toEqual([room(1)]);
  });
});

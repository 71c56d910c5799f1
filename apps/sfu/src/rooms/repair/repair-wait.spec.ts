import { RepairWait } from './repair-wait.js';

type Step = 'expect' | 'end' | 'repaired' | 'lost' | number;

describe('the wait of viewers for repaired pictures', () => {
  it.each<[string, Step[], boolean, number]>([
    ['is off without B-frames', [0, 10_000], false, 0],
    ['is on once B-frames are known', ['expect', 0, 5_999], true, 0],
    ['ends after six seconds', ['expect', 0, 6_000], false, 1],
    ['counts from the first viewer', ['expect', 100_000, 105_999], true, 0],
    ['ends with the repair', ['expect', 0, 'repaired'], false, 0],
    ['ends with a failure, once', ['expect', 0, 'end', 'end'], false, 1],
    ['does not begin again while viewers see the original', ['expect', 0, 'end', 1_000], false, 1],
    ['does not begin again when a repair is lost', ['expect', 0, 'repaired', 'end', 'lost', 1_000], false, 0],
    ['begins again for the next viewers', ['expect', 0, 6_000, 'expect', 20_000, 25_999], true, 1],
  ])('%s', (_case, steps, isOn, told) => {
    let [isRepaired, count] = [false, 0];
    const wait = new RepairWait({ isRepaired: () => isRepaired, onOver: () => void (count += 1) });
    for (const step of steps) {
      if (typeof step === 'number') wait.limit(step);
      else if (step === 'expect' || step === 'end') wait[step]();
      else isRepaired = step === 'repaired';
    }
    expect([wait.isOn, count]).toEqual([isOn, told]);
  });
});

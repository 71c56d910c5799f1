import { retentionRules } from './retention.repository.js';

describe('the rules of retention', () => {
  it.each(retentionRules)('$name: a batch has as many rows as the rule says', ({ statement, batch }) => {
    expect(statement).toMatch(new RegExp(`LIMIT ${batch}\\b`));
  });

  it('delete more viewer samples in a run of 500 batches than ten full nodes write in the ten minutes between runs', () => {
    const { batch } = retentionRules.find(({ name }) => name === 'viewerSamples')!;
    expect(500 * batch).toBeGreaterThan(10 * 5_000 * 10);
  });
});

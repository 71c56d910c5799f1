import { parseCommand } from './command-schemas.js';

describe('parseCommand', () => {
  it('refuses a list whose length JavaScript cannot compare', () => {
    const request = { question: 'Ready?', options: { length: { toString: '' } } };
    expect(() => parseCommand({ commandID: '1', name: 'poll.create', request })).toThrow(
      'The request has a value that is not allowed.',
    );
  });
});

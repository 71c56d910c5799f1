import { jest } from '@jest/globals';
import { RequestListeners, type DoneRequest } from './listeners.js';

describe('RequestListeners', () => {
  it('reports the duration of a request, in seconds', async () => {
    const times = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_250);
    const listeners = new RequestListeners();
    const heard: DoneRequest[] = [];
    listeners.add(done => heard.push(done));
    await listeners.watch('spec.subject', Promise.resolve('reply'));
    expect(heard).toEqual([{ subject: 'spec.subject', outcome: 'ok', seconds: 0.25 }]);
    times.mockRestore();
  });
});

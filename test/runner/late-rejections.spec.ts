const turn = () => new Promise<void>(resolve => setImmediate(resolve));

describe('a test', () => {
  it('may end with a rejection that it expects after it happened', async () => {
    const failing = turn().then(() => Promise.reject(new Error('refused')));
    await turn();
    await turn();
    await expect(failing).rejects.toThrow('refused');
  });
});

import { parseSeed } from './demo-account.mjs';

describe('the answer of the program that makes the demo account', () => {
  it('is found between log lines', () => {
    const stdout = '{"level":30,"msg":"hello"}\n{"created":true,"apiUserName":"demo","apiKey":"k"}\nbye\n';
    expect(parseSeed(stdout)).toEqual({ created: true, apiUserName: 'demo', apiKey: 'k' });
  });

  it('is nothing when there is none', () => {
    expect(parseSeed('null\n"text"\n')).toBeUndefined();
  });
});

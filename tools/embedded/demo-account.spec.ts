import { parseSeed, withKept } from './demo-account.mjs';

describe('the answer of the program that makes the demo account', () => {
  it('is found between log lines', () => {
    const stdout = '{"level":30,"msg":"hello"}\n{"created":true,"apiUserName":"demo","apiKey":"k"}\nbye\n';
    expect(parseSeed(stdout)).toEqual({ created: true, apiUserName: 'demo', apiKey: 'k' });
  });

  it('is completed by what was shown before, of the same account alone', () => {
    const signIn = { email: 'e', password: 'p', adminEmail: 'a', adminPassword: 'q' };
    const kept = { apiUserName: 'demo', apiKey: 'k', signIn };
    const later = { created: false, apiUserName: 'demo' };
    expect(withKept(later, kept)).toEqual({ ...later, apiKey: 'k', signIn, isNewSignIn: false });
    expect(withKept({ ...later, signIn }, { ...kept, signIn: undefined })).toMatchObject({ signIn, isNewSignIn: true });
    expect(withKept({ created: true, apiUserName: 'demo' }, kept).apiKey).toBeUndefined();
    expect(withKept(later, { ...kept, apiUserName: 'other' })).not.toHaveProperty('signIn');
  });

  it('is nothing when there is none', () => {
    expect(parseSeed('null\n"text"\n')).toBeUndefined();
  });
});

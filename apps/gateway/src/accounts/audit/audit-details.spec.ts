import { auditDetails, identifiersIn } from './audit-details.js';

describe('the details of an audit entry', () => {
  it('hold identifiers, numbers, switches and names', () => {
    const body = { subUserID: 'sub_1', type: 'sandbox', enabled: false, meetingMinutes: 5, name: 'Ada' };
    expect(auditDetails({ accountID: 'acct_1' }, body)).toEqual({ accountID: 'acct_1', ...body });
  });

  it('hold of every other field the name alone', () => {
    const body = { currentPassword: 'one', newPassword: 'two', apiKey: 'three', code: '123456', options: { a: 1 } };
    expect(auditDetails(body)).toEqual({ otherFields: 'currentPassword, newPassword, apiKey, code, options' });
  });

  it('are bounded, whatever is sent', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field${n}ID`, 'x'.repeat(10_000)]));
    const details = auditDetails(many, many);
    expect(Object.keys(details).length).toBeLessThanOrEqual(31);
    expect(JSON.stringify(details).length).toBeLessThan(10_000);
  });

  it.each([undefined, null, 'text', 5, [['nested']]])('take %j for a body without fields', body => {
    expect(auditDetails(body)).toEqual({});
  });

  it('replace what PostgreSQL cannot store', () => {
    expect(auditDetails({ name: 'a\u0000b\ud800c' })).toEqual({ name: 'a�b�c' });
  });

  it('name the resource of an answer, and not its secret', () => {
    const answer = { success: true, key: { keyID: 'key_1', apiKey: 'secret', accountID: null } };
    expect(identifiersIn(answer)).toEqual({ keyID: 'key_1' });
  });
});

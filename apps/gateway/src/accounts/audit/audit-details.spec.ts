import { auditDetails, identifiersIn } from './audit-details.js';

describe('the details of an audit entry', () => {
  it('contain identifiers, numbers, booleans and names', () => {
    const body = { subUserID: 'sub_1', type: 'sandbox', enabled: false, meetingMinutes: 5, name: 'Ada' };
    expect(auditDetails({ accountID: 'acct_1' }, body)).toEqual({ accountID: 'acct_1', ...body });
  });

  it('contain only the names of all other fields', () => {
    const body = { currentPassword: 'one', newPassword: 'two', apiKey: 'three', code: '123456', options: { a: 1 } };
    expect(auditDetails(body)).toEqual({ otherFields: 'currentPassword, newPassword, apiKey, code, options' });
  });

  it('have a bounded size for any request', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field${n}ID`, 'x'.repeat(10_000)]));
    const details = auditDetails(many, many);
    expect(Object.keys(details).length).toBeLessThanOrEqual(31);
    expect(JSON.stringify(details).length).toBeLessThan(10_000);
  });

  it.each([undefined, null, 'text', 5, [['nested']]])('treat %j as a body without fields', body => {
    expect(auditDetails(body)).toEqual({});
  });

  it('replace characters that PostgreSQL cannot store', () => {
    expect(auditDetails({ name: 'a\u0000b\ud800c' })).toEqual({ name: 'a�b�c' });
  });

  it('name the resource of an answer without its secret', () => {
    const answer = { success: true, key: { keyID: 'key_1', apiKey: 'secret', accountID: null } };
    expect(identifiersIn(answer)).toEqual({ keyID: 'key_1' });
  });
});

import { auditVerdict } from './audit-verdict.mjs';

const report = (vulnerabilities: object, counts: object) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: counts } });

describe('an audit of the packages', () => {
  it('is clean without vulnerabilities of high severity', () => {
    const output = report({ slow: { severity: 'moderate' } }, { moderate: 1, high: 0, critical: 0, total: 1 });
    expect(auditVerdict(output).outcome).toBe('clean');
  });

  it.each(['high', 'critical'])('fails by a vulnerability of %s severity, and names the package', severity => {
    const { outcome, message } = auditVerdict(report({ leaky: { severity } }, { [severity]: 1, total: 1 }));
    expect([outcome, message.includes('leaky')]).toEqual(['vulnerable', true]);
  });

  it.each([
    ['knows no audits', { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }],
    ['is unwell', { statusCode: 503 }],
    ['cannot be found', { message: 'request failed', error: { code: 'ENOTFOUND', summary: '' } }],
    ['refuses connections', { error: { code: 'ECONNREFUSED' } }],
    ['says that it has none', { error: { code: 'ENOAUDIT' } }],
  ])('was not done, and says so, when the registry %s', (_case, answer) => {
    const { outcome, message } = auditVerdict(JSON.stringify(answer));
    expect([outcome, message.startsWith('NOT AUDITED')]).toEqual(['not-done', true]);
  });

  it.each(['', 'npm: no such command', JSON.stringify({ error: { code: 'ENOLOCK' } }), '{}'])(
    'fails by anything else: %j',
    output => {
      expect(auditVerdict(output).outcome).toBe('failed');
    },
  );
});

import { aptFailureMessage, cannotInstallMessage, installRights } from './debian-packages.mjs';

describe('rights to install Debian packages', () => {
  it.each([
    ['root', { userID: 0, sudoWorks: false, aptExists: true }],
    ['sudo', { userID: 1000, sudoWorks: true, aptExists: true }],
    ['no-rights', { userID: 1000, sudoWorks: false, aptExists: true }],
    ['no-apt', { userID: 0, sudoWorks: true, aptExists: false }],
  ])('%s: %o', (rights, facts) => {
    expect(installRights(facts)).toBe(rights);
  });
});

describe('the message when packages cannot be installed', () => {
  it('is the command to run, when rights are missing', () => {
    expect(cannotInstallMessage(['ffmpeg', 'chromium'], 'no-rights')).toContain('sudo apt-get install ffmpeg chromium');
  });

  it('is to check the network, when no server answers', () => {
    const message = aptFailureMessage(['ffmpeg'], 'E: Failed to fetch http://… Temporary failure resolving');
    expect(message).toMatch(/Check the network/);
  });

  it('is apt’s own message otherwise, in one line', () => {
    const message = aptFailureMessage(['ffmpeg'], 'Reading package lists\nE: Unable to locate package ffmpeg\n');
    expect(message).toContain('Unable to locate package ffmpeg');
    expect(message).not.toContain('\n');
  });
});

import { type AdminClient, RefusedRequest } from './admin-client.js';
import { adminProgram } from './admin-program.js';

const program = () =>
  adminProgram({
    client: () => {
      throw new Error('a client was made');
    },
    print: () => undefined,
  });

describe('rtms-admin', () => {
  it('shows its commands without asking for a token', () => {
    const help = program().helpInformation();
    for (const command of [
      'accounts',
      'keys',
      'dashboard-users',
      'features',
      'nodes',
      'secrets',
      'rotate-signing-key',
      'status',
      'rooms',
      'sessions',
    ])
      expect(help).toContain(command);
  });

  it('asks for a token only when it sends a request', async () => {
    await expect(program().parseAsync(['node', 'rtms-admin', 'nodes', 'list'])).rejects.toThrow('a client was made');
  });

  describe('a list', () => {
    /** Runs the command over 250 accounts. Returns the requests and the printed answer. */
    async function list(...options: string[]) {
      const asked: string[] = [];
      const get = async (path: string) => {
        asked.push(path);
        const query = new URL(path, 'http://gateway').searchParams;
        const [startIndex, pageSize] = [Number(query.get('startIndex')), Number(query.get('pageSize'))];
        const accounts = Array.from({ length: Math.min(pageSize, 250 - startIndex) }, (_, at) => startIndex + at);
        return { success: true, accounts, total: 250, startIndex, pageSize };
      };
      const printed: object[] = [];
      const client = () => ({ get }) as unknown as AdminClient;
      const lister = adminProgram({ client, print: answer => printed.push(answer) });
      await lister.parseAsync(['node', 'rtms-admin', 'accounts', 'list', ...options]);
      return { asked, answer: printed[0] as { accounts: number[]; total: number } };
    }

    it('follows all pages', async () => {
      const { asked, answer } = await list();
      expect([asked.length, answer.accounts.length, answer.total]).toEqual([3, 250, 250]);
      expect(answer.accounts.at(-1)).toBe(249);
    });

    it('ends at the limit', async () => {
      const { asked, answer } = await list('--limit', '120', '--skip', '5');
      expect(asked).toEqual(['/accounts?startIndex=5&pageSize=100', '/accounts?startIndex=105&pageSize=20']);
      expect([answer.accounts[0], answer.accounts.length]).toEqual([5, 120]);
    });
  });

  it('rotates secrets until all are done', async () => {
    const answers = [
      { reencrypted: 4, unreadable: 0, done: false },
      { reencrypted: 3, unreadable: 1, done: true },
    ];
    const asked: string[] = [];
    const post = async (path: string) => {
      asked.push(path);
      return { success: true, rotation: answers[asked.length - 1] };
    };
    const printed: object[] = [];
    const client = () => ({ post }) as unknown as AdminClient;
    const rotating = adminProgram({ client, print: answer => printed.push(answer) });
    await rotating.parseAsync(['node', 'rtms-admin', 'secrets', 'rotate']);
    expect(asked).toEqual(['/secrets/rotate', '/secrets/rotate']);
    expect(printed).toEqual([{ success: true, rotation: { reencrypted: 7, unreadable: 1, done: true } }]);
  });

  describe('drain --wait', () => {
    const work = { rooms: 2, sessions: 1, viewers: 3 };

    /** Runs the command while the node answers these in turn. Returns what it printed. */
    async function drain(answers: (object | Error)[]): Promise<object[]> {
      const printed: object[] = [];
      const get = async () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return { work: answer };
      };
      const post = async (path: string, body: object) => ({ path, body });
      const client = () => ({ get, post }) as unknown as AdminClient;
      const options = { client, print: (answer: object) => printed.push(answer), pause: async () => undefined };
      await adminProgram(options).parseAsync(['node', 'rtms-admin', 'drain', 'sfu-1', '--wait', '--force']);
      expect(answers).toEqual([]);
      return printed;
    }

    const asked = { path: '/nodes/sfu-1/drain', body: { force: true } };

    it('prints what is left at each change, until only rooms without clients are left', async () => {
      const empty = { rooms: 1, sessions: 0, viewers: 0 };
      const silent = new RefusedRequest('No media node is available.', 503);
      expect(await drain([work, silent, work, { ...work, viewers: 0 }, empty])).toEqual([
        asked,
        { nodeID: 'sfu-1', left: work },
        { nodeID: 'sfu-1', left: { ...work, viewers: 0 } },
        { nodeID: 'sfu-1', left: empty },
      ]);
    });

    it('ends when the node has stopped', async () => {
      const printed = await drain([work, new RefusedRequest('There is no such node.', 404)]);
      expect(printed).toEqual([asked, { nodeID: 'sfu-1', left: work }, { nodeID: 'sfu-1', gone: true }]);
    });

    it('fails when the token was changed', async () => {
      await expect(drain([work, new RefusedRequest('The credentials are wrong.', 401)])).rejects.toThrow('credentials');
    });
  });
});

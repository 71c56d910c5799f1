import { outcomeOf, ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const contactNumber = '+14155550100';
const peer = { host: 'sip.example.org', username: 'ada', password: 'a password' };

describe('SIP configurations', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let configs: ResourceClient;
  let agents: ResourceClient;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  beforeEach(async () => {
    owner = await gateway.makeAccount();
    configs = new ResourceClient(gateway, '/v1/sipconfigs', owner);
    agents = new ResourceClient(gateway, '/v1/agents', owner);
  });

  const create = async (fields: object = {}) => {
    const { status, body } = await configs.post('create', { contactNumber, ...fields });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.sipConfig;
  };

  it('have defaults for all fields except the number', async () => {
    expect(await create()).toEqual({
      sipConfigID: expect.stringMatching(/^sip_[A-Za-z0-9]{22}$/),
      contactNumber,
      provider: null,
      supportSipActive: true,
      allowOutgoing: true,
      audioOnly: false,
      autoRecordSip: false,
      preferPCMA: false,
      allowedIPs: [],
      peer: null,
      backupPeer: null,
      agentID: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('store every field, and answer masked passwords', async () => {
    const { body } = await agents.post('create', { name: 'Ada' });
    const fields = {
      provider: 'twilio',
      supportSipActive: false,
      allowOutgoing: false,
      audioOnly: true,
      autoRecordSip: true,
      preferPCMA: true,
      allowedIPs: ['192.0.2.0/24', '2001:db8::/32'],
      agentID: body.agent.agentID as string,
    };
    const backupPeer = { host: '2001:db8::7', port: 5061, transport: 'TLS', register: true };
    expect(await create({ ...fields, peer, backupPeer })).toMatchObject({
      ...fields,
      peer: {
        host: 'sip.example.org',
        port: 5060,
        transport: 'UDP',
        register: false,
        username: 'ada',
        maskedPassword: '********',
      },
      backupPeer: { ...backupPeer, username: null, maskedPassword: null },
    });
  });

  it('are listed, changed and deleted', async () => {
    const first = await create({ provider: 'x', allowedIPs: ['192.0.2.0/24'] });
    const { sipConfigID } = first;
    const second = await create({ contactNumber: '+4930123456' });
    expect((await configs.get()).body).toMatchObject({ sipConfigs: [second, first], total: 2 });
    expect((await configs.get({ contactNumber })).body).toMatchObject({ sipConfigs: [first], total: 1 });
    const { body } = await configs.post('update', { sipConfigID, audioOnly: true, provider: null });
    const updatedAt = expect.any(String) as unknown;
    expect(body.sipConfig).toEqual({ ...first, audioOnly: true, provider: null, updatedAt });
    for (let time = 0; time < 2; time += 1) {
      expect((await configs.post('delete', { sipConfigID })).body).toEqual({
        success: true,
        deleted: true,
        sipConfigID,
      });
    }
    expect(outcomeOf(await configs.get({ sipConfigID }))).toEqual([404, 'not_found']);
  });

  it.each<[string, object | null, string | null | undefined]>([
    ['stays with the same host and user', { host: peer.host, username: peer.username, port: 5070 }, '********'],
    ['goes when it is sent as null', { host: peer.host, username: peer.username, password: null }, null],
    ['is never handed to another host', { host: 'other.example', username: peer.username }, null],
    ['is never handed to another user', { host: peer.host, username: 'grace' }, null],
    ['goes with its peer', null, undefined],
  ])('a password %s', async (_, changed, maskedPassword) => {
    const { sipConfigID } = await create({ peer });
    const { body } = await configs.post('update', { sipConfigID, peer: changed });
    expect(body.sipConfig.peer?.maskedPassword).toBe(maskedPassword);
  });

  it('have unique numbers in an account', async () => {
    await create();
    expect(outcomeOf(await configs.post('create', { contactNumber }))).toEqual([409, 'name_taken']);
    expect((await configs.as(await gateway.makeAccount()).post('create', { contactNumber })).status).toBe(201);
  });

  it('prevent the deletion of their agent', async () => {
    const { body } = await agents.post('create', { name: 'Ada' });
    const { agentID } = body.agent;
    const { sipConfigID } = await create({ agentID });
    expect(outcomeOf(await agents.post('delete', { agentID }))).toEqual([409, 'in_use']);
    await configs.post('update', { sipConfigID, agentID: null });
    expect((await agents.post('delete', { agentID })).status).toBe(200);
  });

  it('are invisible to other accounts', async () => {
    const { body } = await agents.post('create', { name: 'Ada' });
    const { sipConfigID } = await create();
    const stranger = configs.as(await gateway.makeAccount());
    const { agentID } = body.agent;
    expect(outcomeOf(await stranger.post('create', { contactNumber, agentID }))).toEqual([400, 'invalid_request']);
    for (const answer of [
      await stranger.get({ sipConfigID }),
      await stranger.post('update', { sipConfigID, audioOnly: true }),
      await stranger.post('delete', { sipConfigID }),
    ]) {
      expect(outcomeOf(answer)).toEqual([404, 'not_found']);
    }
  });

  const numberRule = 'contactNumber must be a telephone number such as +14155550100.';
  const networksRule = 'allowedIPs must be a list of at most 64 networks such as 192.0.2.0/24.';
  const portRule = 'port must be a whole number from 1 to 65535.';
  it.each<[string, object, string]>([
    ['no number', { contactNumber: undefined }, numberRule],
    ['a number without a plus', { contactNumber: '14155550100' }, numberRule],
    ['a number with blanks', { contactNumber: '+1 415 555 0100' }, numberRule],
    ['a number that begins with 0', { contactNumber: '+04155550100' }, numberRule],
    ['a long number', { contactNumber: '+1234567890123456' }, numberRule],
    ['a number and a line', { contactNumber: '+14155550100\n' }, numberRule],
    ['an address that is no network', { allowedIPs: ['192.0.2.7'] }, networksRule],
    ['too many networks', { allowedIPs: Array.from({ length: 65 }, () => '192.0.2.0/24') }, networksRule],
    ['a peer without a host', { peer: {} }, 'host must be a host name or an IP address.'],
    [
      'a host that is an address of the web',
      { peer: { host: 'https://a' } },
      'host must be a host name or an IP address.',
    ],
    ['a peer that is a list', { peer: [peer] }, 'peer must be an object with a host.'],
    ['a peer that is text', { backupPeer: 'x' }, 'backupPeer must be an object with a host.'],
    ['no port', { peer: { ...peer, port: 0 } }, portRule],
    ['a high port', { peer: { ...peer, port: 65_536 } }, portRule],
    ['an unknown transport', { peer: { ...peer, transport: 'udp' } }, 'transport must be one of: UDP, TCP, TLS.'],
    [
      'a long password',
      { peer: { ...peer, password: 'x'.repeat(257) } },
      'password must be text of 1 to 256 characters.',
    ],
    ['recording as text', { autoRecordSip: 'yes' }, 'autoRecordSip must be true or false.'],
    ['an unknown agent', { agentID: 'agent_x' }, 'agentID must be the identifier of one of your agents.'],
  ])('refuse %s', async (_, fields, error) => {
    const { status, body } = await configs.post('create', { contactNumber, ...fields });
    expect([status, body]).toEqual([400, { success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' }]);
  });
});

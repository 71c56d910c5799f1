import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusPermissionError, NatsBus, type Address } from '@rtms/bus';
import { factStream, leaseBucket, leaseTtlSeconds } from '@rtms/contracts';
import { EventLog, startNats, type TestNats } from '@rtms/testing';
import { passwordVariable, withNodeUsers } from './node-users.mjs';

const nodes = ['sfu-1', 'sfu-2', 'transcoder-1', 'transcoder-2'] as const;
type NodeName = (typeof nodes)[number];

const roles = readFileSync(new URL('../../deploy/nats/authorization.conf', import.meta.url), 'utf8');
const roleOf = (node: NodeName): 'sfu' | 'transcoder' => (node.startsWith('sfu') ? 'sfu' : 'transcoder');

describe('a user for each node', () => {
  let directory: string;
  let nats: TestNats;
  let gateway: NatsBus;
  let bus: Record<NodeName, NatsBus>;

  const connect = (node: NodeName): Promise<NatsBus> => {
    const own = { user: node, password: `p${node}`, service: roleOf(node), provision: 'await' as const };
    return NatsBus.connect({ url: nats.url, ...own, name: node, onProblem: () => undefined });
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), `rtms-test-node-users-${process.pid}-`));
    const file = join(directory, 'authorization.conf');
    const withPasswords = nodes.reduce(
      (text, node) => text.replace(`$${passwordVariable(node)}`, `"p${node}"`),
      withNodeUsers(roles, [...nodes]),
    );
    writeFileSync(file, withPasswords);
    nats = await startNats({ open: true, args: ['--config', file] });
    gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway', onProblem: () => undefined });
    await gateway.ensureStream(factStream);
    await gateway.keyValue(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    const buses = await Promise.all(nodes.map(connect));
    bus = Object.fromEntries(nodes.map((node, index) => [node, buses[index]])) as typeof bus;
  });
  afterAll(async () => {
    await Promise.all([gateway, ...Object.values(bus ?? {})].map(each => each?.close()));
    await nats?.stop();
    rmSync(directory, { recursive: true });
  });

  const commandTo = (node: NodeName): Address<string, string> => ({ subject: `rtms.${roleOf(node)}.${node}.drain` });
  const others = nodes.flatMap(node => nodes.filter(other => other !== node).map(other => [node, other] as const));

  it.each(nodes)('lets %s take its commands, and answer them', async node => {
    const responder = await bus[node].respond(commandTo(node), question => Promise.resolve(`${question} answered`));
    expect(await gateway.request(commandTo(node), 'drain')).toBe('drain answered');
    await responder.close();
  });

  it.each(nodes)('lets %s write its lease, and report', async node => {
    const leases = await bus[node].keyValue<string>(leaseBucket);
    await leases.put(`${roleOf(node)}.${node}`, 'here');
    const resource = roleOf(node) === 'sfu' ? 'playback' : 'broadcast';
    const reported = bus[node].publish(`rtms.fact.${resource}.${node}`, {}, `of ${node}`);
    await expect(reported).resolves.toBeUndefined();
  });

  it.each(others)('lets %s neither take the commands of %s nor write its lease', async (node, other) => {
    const answer = () => Promise.resolve('forged');
    await expect(bus[node].respond(commandTo(other), answer)).rejects.toThrow(BusPermissionError);
    const leases = await bus[node].keyValue<string>(leaseBucket);
    await expect(leases.put(`${roleOf(other)}.${other}`, 'forged')).rejects.toThrow(BusPermissionError);
    await expect(leases.delete(`${roleOf(other)}.${other}`)).rejects.toThrow(BusPermissionError);
  });

  it('lets one SFU hear the load of another', async () => {
    const heard = new EventLog<unknown>();
    const listening = await bus['sfu-2'].listen('rtms.relay.*.load', heard.add);
    bus['sfu-1'].announce('rtms.relay.sfu-1.load', 'low');
    expect(await heard.find(() => true)).toMatchObject({ payload: 'low' });
    await listening.close();
  });

  it.each(['gateway-1', 'sfu', 'sfu-1 } {', 'sfu-$X', `sfu-${'1'.repeat(60)}`])('is not made for %s', name => {
    expect(() => withNodeUsers(roles, [name])).toThrow('must begin with sfu-, transcoder- or ingest-');
  });
});

import { NatsBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../../platform/database/data-source.js';
import { loadGatewayConfig, type GatewayConfig } from '../../gateway.config.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { measure, type Finding } from './finding.js';
import { judgeAdminToken, judgeBus, judgeDatabase, judgeSettings } from './judge-platform.js';
import { lookAtBus, lookAtDatabase } from './measure-platform.repository.js';

const busTimeoutMs = 5_000;

/** Checks settings, database and NATS with the environment of a gateway that does not run. */
export async function lookLocally(load: () => GatewayConfig = loadGatewayConfig): Promise<Finding[]> {
  const settings = await measure(async () => load());
  const line: Finding = { check: 'settings', ...judgeSettings(settings) };
  if ('failure' in settings) return [line];
  const { value: config } = settings;
  const [database, bus] = await Promise.all([reachDatabase(config), reachBus(config)]);
  return [line, ...database, ...bus, { check: 'admin-token', ...judgeAdminToken(config.adminToken.length) }];
}

async function reachDatabase(config: GatewayConfig): Promise<Finding[]> {
  const source = new DataSource(databaseOptions(config.databaseUrl, { warn: () => undefined }));
  const connected = await measure(() => source.initialize());
  if ('failure' in connected) return [{ check: 'database', ...judgeDatabase(connected) }];
  try {
    return await lookAtDatabase(source, new SecretVault(config), systemClock);
  } finally {
    await source.destroy();
  }
}

async function reachBus({ bus: address, nodeID }: GatewayConfig): Promise<Finding[]> {
  const options = { ...address, name: `${nodeID}-doctor`, service: 'gateway', connectTimeoutMs: busTimeoutMs };
  const connected = await measure(() => NatsBus.connect(options));
  if ('failure' in connected) return [{ check: 'bus', ...judgeBus(connected) }];
  try {
    return await lookAtBus(connected.value, address.storage?.replicas);
  } finally {
    await connected.value.close();
  }
}

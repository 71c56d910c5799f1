import { Inject, Injectable } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import type { Finding } from './finding.js';
import { judgeAdminToken, judgeNodeAddresses } from './judge-platform.js';
import { lookAtBus, lookAtDatabase } from './measure-platform.repository.js';
import { NodeDoctorService } from './node-doctor.service.js';

/** Checks everything that the platform needs. Each finding has a result and, for a problem, advice. */
@Injectable()
export class DoctorService {
  private running: Promise<Finding[]> | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly vault: SecretVault,
    private readonly nodes: NodeDoctorService,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs once at a time: a request during a run gets the findings of that run. */
  look(): Promise<Finding[]> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async run(): Promise<Finding[]> {
    const [database, bus] = await Promise.all([
      lookAtDatabase(this.database, this.vault, this.clock),
      lookAtBus(this.bus, this.config.bus.storage?.replicas),
    ]);
    const token: Finding = { check: 'admin-token', ...judgeAdminToken(this.config.adminToken.length) };
    const { publicUrl, nodeAddresses } = this.config;
    const isSet = nodeAddresses?.public !== undefined;
    const addresses: Finding = { check: 'node-addresses', ...judgeNodeAddresses(publicUrl, isSet) };
    return [...database, ...bus, token, addresses, ...(this.bus.isConnected() ? await this.nodes.look() : [])];
  }
}

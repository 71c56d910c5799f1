import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { dashboardApi, nodeRoles, type Fact } from '@rtms/contracts';
import { HttpMetrics, MetricsRegistry, Readiness, registerNodeMetrics, type Sample, type Tally } from '@rtms/health';
import type { Pool } from 'pg';
import { Counter, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { poolsOf } from '../../platform/database/connection-pools.js';
import { EventSequencerService } from '../../events/log/event-sequencer.service.js';
import { attemptResults, WebhookDispatcherService } from '../../events/deliveries/webhook-dispatcher.service.js';
import { FactBacklogService } from '../../media/facts/fact-backlog.service.js';
import { FactsConsumer } from '../../media/facts/facts-consumer.js';
import { NodeRegistry } from '../../media/nodes/node-registry.js';
import { RateLimiterService } from '../../platform/limits/rate-limiter.service.js';
import { Reconciler } from '../../media/reconciler/reconciler.js';
import { MemberSocketsService } from '../../rooms/socket/member-sockets.service.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { countResources } from './resource-counts.repository.js';

const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** All metrics of this gateway for Prometheus. docs/metrics.md explains them. */
@Injectable()
export class GatewayMetricsService implements OnModuleInit, OnModuleDestroy {
  private following: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly database: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly facts: FactsConsumer,
    private readonly backlog: FactBacklogService,
    private readonly reconciler: Reconciler,
    private readonly sequencer: EventSequencerService,
    private readonly webhooks: WebhookDispatcherService,
    private readonly limiter: RateLimiterService,
    private readonly connections: MemberSocketsService,
    private readonly registry: MetricsRegistry,
    private readonly http: HttpMetrics,
    private readonly readiness: Readiness,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const { bus, readiness, registry } = this;
    this.following = registerNodeMetrics(registry, {
      ...{ service: 'gateway', bus },
      isDraining: () => readiness.isDraining(),
    });
    this.registerPlatform();
    this.registerDatabase();
    this.registerTallies();
    this.countFacts();
    this.registerBacklog();
    this.registerEvents();
    this.countAttempts();
    this.countSignInFailures();
  }

  async onModuleDestroy(): Promise<void> {
    await this.following?.close();
  }

  private registerPlatform(): void {
    this.registry.gauge({
      name: 'rtms_gateway_nodes',
      help: 'Media nodes with a lease, by role and state.',
      labels: ['role', 'state'],
      read: () => this.countNodes(),
    });
    this.registry.gauge({
      name: 'rtms_gateway_resources',
      help: 'Live resources of the whole platform. Every gateway reports the same values.',
      labels: ['kind', 'state'],
      read: () => countResources(this.database),
    });
    this.registry.gauge({
      name: 'rtms_gateway_socket_connections',
      help: 'Open sockets of members.',
      read: () => this.connections.list().length,
    });
  }

  private countNodes(): Sample[] {
    return nodeRoles.flatMap(role => {
      const leases = this.nodes.list(role);
      const draining = leases.filter(lease => lease.draining).length;
      return [
        { labels: { role, state: 'ready' }, value: leases.length - draining },
        { labels: { role, state: 'draining' }, value: draining },
      ];
    });
  }

  private registerDatabase(): void {
    this.registry.gauge({
      name: 'rtms_gateway_database_connections',
      help: 'Connections to PostgreSQL by pool and state. waiting: queries without a connection.',
      labels: ['pool', 'state'],
      read: () =>
        this.countPools().flatMap(({ pool, counts }) =>
          (['active', 'idle', 'waiting'] as const).map(state => ({ labels: { pool, state }, value: counts[state] })),
        ),
    });
    this.registry.gauge({
      name: 'rtms_gateway_database_connections_limit',
      help: 'Maximum of connections to PostgreSQL of each pool.',
      labels: ['pool'],
      read: () => this.countPools().map(({ pool, counts }) => ({ labels: { pool }, value: counts.limit })),
    });
  }

  private countPools(): { pool: string; counts: ConnectionCounts }[] {
    return Object.entries(poolsOf(this.database)).map(([pool, each]) => ({ pool, counts: countConnections(each) }));
  }

  private registerTallies(): void {
    const counter = (name: string, help: string, label: string, tally: Tally<string>): void =>
      this.registry.counter({
        ...{ name, help, labels: [label] },
        read: () => tally.entries().map(([kind, value]) => ({ labels: { [label]: kind }, value })),
      });
    const { runs, repairs } = this.reconciler;
    counter('rtms_gateway_reconciler_runs_total', 'Runs of the reconciler by outcome.', 'outcome', runs);
    counter(
      'rtms_gateway_reconciler_repairs_total',
      'Differences between the database and the nodes that the reconciler repaired.',
      'kind',
      repairs,
    );
    const refused = 'Requests that a rate limit refused.';
    counter('rtms_gateway_rate_limited_total', refused, 'limit', this.limiter.refusals);
  }

  private countFacts(): void {
    const applied = new Counter({
      name: 'rtms_gateway_facts_applied_total',
      help: 'Facts from media nodes, by type and outcome.',
      labelNames: ['type', 'outcome'],
      registers: [this.registry],
    });
    const lag = new Histogram({
      name: 'rtms_gateway_fact_lag_seconds',
      help: 'Time from the event on a media node until the gateway has processed the fact.',
      buckets: lagBuckets,
      registers: [this.registry],
    });
    this.facts.onTaken((fact, outcome) => {
      applied.inc({ type: fact.body.type, outcome });
      lag.observe(secondsSince(fact, this.clock.now()));
    });
  }

  private registerBacklog(): void {
    this.registry.gauge({
      name: 'rtms_gateway_facts_pending',
      help: 'Facts in the stream that no gateway has processed. Every gateway reports the same values.',
      labels: ['resource'],
      read: async () =>
        (await this.backlog.measure()).map(({ resource, count }) => ({ labels: { resource }, value: count })),
    });
    this.registry.gauge({
      name: 'rtms_gateway_facts_oldest_age_seconds',
      help: 'Age of the oldest fact that no gateway has processed.',
      labels: ['resource'],
      read: async () =>
        (await this.backlog.measure()).map(({ resource, oldestAt }) => ({
          labels: { resource },
          value: oldestAt ? Math.max(0, (this.clock.now() - oldestAt.getTime()) / 1000) : 0,
        })),
    });
  }

  private registerEvents(): void {
    this.registry.gauge({
      name: 'rtms_gateway_events_oldest_age_seconds',
      help: 'Age of the oldest change that is not in the event log of its account. Every gateway reports the same value.',
      read: () => this.sequencer.oldestAgeSeconds(),
    });
    this.registry.gauge({
      name: 'rtms_gateway_webhooks_oldest_age_seconds',
      help: 'Age of the oldest due delivery of a webhook that does not fail. Every gateway reports the same value.',
      read: () => this.webhooks.oldestAgeSeconds(),
    });
  }

  private countAttempts(): void {
    const attempts = new Counter({
      name: 'rtms_gateway_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by result. retried: another attempt follows.',
      labelNames: ['result'],
      registers: [this.registry],
    });
    for (const result of attemptResults) attempts.inc({ result }, 0);
    this.webhooks.onAttempt((_, result) => attempts.inc({ result }));
  }

  private countSignInFailures(): void {
    const failures = new Counter({
      name: 'rtms_gateway_sign_in_failures_total',
      help: 'Refused sign-ins to the dashboard.',
      registers: [this.registry],
    });
    this.http.onDone(({ method, path, status }) => {
      const isSignIn = method === 'POST' && path === `${dashboardApi}/session`;
      if (isSignIn && status >= 400 && status < 500) failures.inc();
    });
  }
}

/** The clocks of two machines may differ, so a time in the future counts as now. */
function secondsSince({ at }: Fact, now: number): number {
  return Math.max(0, (now - Date.parse(at)) / 1000);
}

interface ConnectionCounts {
  /** Connections in use. */
  active: number;
  /** Open connections that nobody uses. */
  idle: number;
  /** Queries that wait for a connection. */
  waiting: number;
  /** The most connections that the pool opens. */
  limit: number;
}

/** Counts the connections of a pool by their current state. */
export function countConnections({ totalCount, idleCount: idle, waitingCount, options }: Pool): ConnectionCounts {
  // Each query waits for a moment, even for an idle connection. The query for these numbers is one of them.
  const isExhausted = idle === 0 && totalCount >= options.max;
  return { active: totalCount - idle, idle, waiting: isExhausted ? waitingCount : 0, limit: options.max };
}

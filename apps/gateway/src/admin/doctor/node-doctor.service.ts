import { Inject, Injectable } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  encoderProtocols,
  ingestCommands,
  sfuCommands,
  transcoderCommands,
  type CommandAddress,
  type MediaEndpoint,
  type NodeLease,
  type SfuDiagnosis,
} from '@rtms/contracts';
import { serviceVersion } from '@rtms/health';
import { FeaturesService } from '../../accounts/features/features.service.js';
import { NodeRegistry } from '../../media/nodes/node-registry.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { measure, type Finding, type Judgement } from './finding.js';
import {
  judgeAnnounced,
  judgeAnswer,
  judgeEncoders,
  judgeEncoding,
  judgeHandshake,
  judgePort,
  judgeReach,
  judgeRecordings,
  judgeSpace,
  judgeTurn,
  judgeVersion,
  type Reach,
} from './judge-node.js';
import { judgeClock, judgeIngestNodes, judgeNodes } from './judge-platform.js';

/** Time for a handshake with each media worker at once, or for a start of FFmpeg. */
const diagnosisDeadlineMs = 8_000;
const trialDeadlineMs = 5_000;

/** A node reads its clock last, so that the answer is only this old when it arrives. */
const answerWayMs = 100;

/** The name of a check and its result. */
type Line = [check: string, judgement: Judgement];

/** Asks the media nodes for their diagnosis. A node that does not answer in time gets a finding, and the other nodes do not wait for it. */
@Injectable()
export class NodeDoctorService {
  constructor(
    private readonly nodes: NodeRegistry,
    private readonly features: FeaturesService,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async look(): Promise<Finding[]> {
    const nodes = this.nodes.list().sort(byRoleAndName);
    const perNode = await Promise.all(nodes.map(node => this.lookAt(node, nodes)));
    const enabled = await this.features.ofPlatform();
    const hasIngest = encoderProtocols.some(protocol => enabled[protocol]);
    return [...counts(nodes), ingestCount(nodes, hasIngest), ...perNode.flat()];
  }

  private async lookAt(node: NodeLease, nodes: readonly NodeLease[]): Promise<Finding[]> {
    const asked = await measure(() => this[node.role](node, nodes));
    const version = judgeVersion(node.version, serviceVersion);
    const lines: Line[] = [
      ['answer', judgeAnswer(asked)],
      ['version', version],
      ...('value' in asked ? asked.value : []),
    ];
    return lines.map(([check, judgement]) => ({ check, nodeID: node.nodeID, ...judgement }));
  }

  private async sfu(node: NodeLease, nodes: readonly NodeLease[]): Promise<Line[]> {
    const { diagnosis, clock } = await this.ask(sfuCommands.diagnose.forNode(node.nodeID));
    const reach = await this.reachFromElsewhere(node, nodes, diagnosis.endpoints);
    return [
      ['clock', clock],
      ['dtls-handshake', judgeHandshake(diagnosis.handshake)],
      ...announced(node, diagnosis),
      ['media-udp', judgeReach('udp', reach)],
      ['media-tcp', judgeReach('tcp', reach)],
      ...(diagnosis.turn ?? []).map((trial): Line => ['turn', judgeTurn(trial)]),
    ];
  }

  private async transcoder(node: NodeLease, nodes: readonly NodeLease[]): Promise<Line[]> {
    const { diagnosis, clock } = await this.ask(transcoderCommands.diagnose.forNode(node.nodeID));
    const { missingEncoders, ffmpegVersion, encoding, directories, recordings } = diagnosis;
    const transcoders = nodes.filter(({ role }) => role === 'transcoder').length;
    return [
      ['clock', clock],
      ['encoders', judgeEncoders(missingEncoders, ffmpegVersion)],
      ['encoding', judgeEncoding(encoding)],
      ...directories.map((space): Line => ['disk', judgeSpace(space)]),
      ...(recordings ? [['recordings', judgeRecordings(recordings, transcoders)] satisfies Line] : []),
    ];
  }

  private async ingest(node: NodeLease): Promise<Line[]> {
    const { diagnosis, clock } = await this.ask(ingestCommands.diagnose.forNode(node.nodeID));
    const { missingParts, ffmpegVersion, ports } = diagnosis;
    return [
      ['clock', clock],
      ['encoders', judgeEncoders(missingParts, ffmpegVersion)],
      ...ports.map((port): Line => ['port', judgePort(port)]),
    ];
  }

  /** Prefers another SFU node, because it is more likely on another machine. */
  private async reachFromElsewhere(
    node: NodeLease,
    nodes: readonly NodeLease[],
    endpoints: MediaEndpoint[],
  ): Promise<Reach> {
    const others = nodes.filter(each => each.nodeID !== node.nodeID || each.role !== node.role);
    const from = others.find(each => each.role === 'sfu') ?? others.find(each => each.role === 'transcoder');
    if (!from) return { trials: { value: [] }, from: undefined };
    const command = from.role === 'sfu' ? sfuCommands.tryEndpoints : transcoderCommands.tryEndpoints;
    const trials = await measure(async () => {
      const options = { deadlineMs: trialDeadlineMs };
      return (await this.bus.request(command.forNode(from.nodeID), { endpoints }, options)).trials;
    });
    return { trials, from: from.nodeID };
  }

  private async ask<Diagnosis extends { measuredAt: string }>(
    address: CommandAddress<Record<string, never>, Diagnosis>,
  ): Promise<{ diagnosis: Diagnosis; clock: Judgement }> {
    const diagnosis = await this.bus.request(address, {}, { deadlineMs: diagnosisDeadlineMs });
    return { diagnosis, clock: judgeClock(Date.parse(diagnosis.measuredAt) - this.clock.now(), answerWayMs) };
  }
}

function byRoleAndName(one: NodeLease, other: NodeLease): number {
  return one.role.localeCompare(other.role) || one.nodeID.localeCompare(other.nodeID);
}

function counts(nodes: readonly NodeLease[]): Finding[] {
  return (['sfu', 'transcoder'] as const).map(role => {
    const all = nodes.filter(node => node.role === role);
    const willing = all.filter(node => !node.draining);
    return { check: `${role}-nodes`, ...judgeNodes(role, willing.length, all.length) };
  });
}

function ingestCount(nodes: readonly NodeLease[], isEnabled: boolean): Finding {
  const all = nodes.filter(node => node.role === 'ingest');
  const willing = all.filter(node => !node.draining);
  return { check: 'ingest-nodes', ...judgeIngestNodes(willing.length, all.length, isEnabled) };
}

function announced({ publicUrl }: NodeLease, { endpoints, machineAddresses }: SfuDiagnosis): Line[] {
  const [first] = endpoints;
  if (!first) return [];
  return [['announced-address', judgeAnnounced({ address: first.address, publicUrl, machineAddresses })]];
}

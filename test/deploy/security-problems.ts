import { isDeepStrictEqual } from 'node:util';
import type { Loose } from './render.js';
import { allContainers, type Pod } from './pods.js';

/** Violations of Kubernetes' `restricted` standard, and of our own rules, by a pod. */
export function securityProblems(pod: Pod): string[] {
  return [
    ...podProblems(pod),
    ...allContainers(pod).flatMap(({ title, container }) => containerProblems(title, container)),
  ];
}

function podProblems({ title, spec, namespace }: Pod): string[] {
  const context = spec.securityContext ?? {};
  return told(title, {
    'may run as root': context.runAsNonRoot === true,
    'has no user of its own': context.runAsUser > 0 && context.runAsGroup > 0,
    'is not held to the default system calls': context.seccompProfile?.type === 'RuntimeDefault',
    'is given a token of the cluster': spec.automountServiceAccountToken === false,
    'has the default service account': (spec.serviceAccountName ?? 'default') !== 'default',
    'is told of all services': spec.enableServiceLinks === false,
    'stands on the network of its node': spec.hostNetwork !== true || namespace === 'rtms-sfu',
    'sees the processes of its node': !spec.hostPID && !spec.hostIPC,
    'mounts a directory of its node': !(spec.volumes ?? []).some((volume: Loose) => volume.hostPath),
  });
}

function containerProblems(title: string, container: Loose): string[] {
  const { securityContext: context = {}, resources: { requests = {}, limits = {} } = {} } = container;
  return told(title, {
    'may become more than it is': context.allowPrivilegeEscalation === false,
    'is privileged': context.privileged !== true,
    'may write to its image': context.readOnlyRootFilesystem === true,
    'keeps capabilities': isDeepStrictEqual(context.capabilities, capabilitiesOf(container)),
    'asks for no cpu or memory': 'cpu' in requests && 'memory' in requests,
    'has no limit': 'cpu' in limits && 'memory' in limits,
  });
}

/** coturn's program file carries a capability that the `restricted` standard admits. */
function capabilitiesOf({ image }: Loose): object {
  const isCoturn = /\/coturn:/.test(image);
  return isCoturn ? { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } : { drop: ['ALL'] };
}

/** The sentences that are false. */
function told(title: string, sentences: Record<string, boolean>): string[] {
  return Object.entries(sentences)
    .filter(([, isFine]) => !isFine)
    .map(([sentence]) => `${title} ${sentence}`);
}

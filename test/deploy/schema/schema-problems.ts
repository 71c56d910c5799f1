import { messageOf } from '@rtms/logging';
import { z } from 'zod';
import { titleOf, type Manifest } from '../render.js';
import { unreadFields } from './unread-fields.js';

type Models = Record<string, unknown>;
/** Its validator reads `this`; a model made of an object would be a copy of it. */
interface Model {
  prototype: { validate(this: object): void };
}

/** Kubernetes' own schemas and those of the operators, as npm packages carry them. */
const models: Readonly<Record<string, () => Promise<Models>>> = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'autoscaling/v2': () => import('kubernetes-models/autoscaling/v2'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
  'rbac.authorization.k8s.io/v1': () => import('kubernetes-models/rbac.authorization.k8s.io/v1'),
  'scheduling.k8s.io/v1': () => import('kubernetes-models/scheduling.k8s.io/v1'),
  'cert-manager.io/v1': () => import('@kubernetes-models/cert-manager/cert-manager.io/v1'),
  'external-secrets.io/v1beta1': () => import('@kubernetes-models/external-secrets/external-secrets.io/v1beta1'),
  'keda.sh/v1alpha1': () => import('@kubernetes-models/keda/keda.sh/v1alpha1'),
  'monitoring.coreos.com/v1': () => import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'),
  'postgresql.cnpg.io/v1': () => import('@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1'),
};

/** Versions that equal another version. */
const sameAs: Readonly<Record<string, string>> = { 'external-secrets.io/v1': 'external-secrets.io/v1beta1' };

/** Fields that are newer than the package. */
const newerFields = [
  /^ScaledObject .*: \/spec\/fallback\/behavior /,
  /^ScaledObject .*: \/spec\/fallback\/behavior /,
  /^Cluster .*: \/spec\/plugins\/\d+\/isWALArchiver /,
  /^ClusterIssuer .*\/http01\/ingress\/ingressClassName /,
];

const metadata = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const kind = { apiVersion: z.string(), kind: z.string(), metadata };
const port = z.number().int().min(1).max(65_535);

/** Gateway API 1.2, without the fields that we do not use. */
const gatewayApi = {
  Gateway: z.strictObject({
    gatewayClassName: z.string(),
    listeners: z.array(
      z.strictObject({
        name: z.string(),
        protocol: z.enum(['HTTP', 'HTTPS']),
        port,
        hostname: z.string().optional(),
        tls: z.strictObject({ certificateRefs: z.array(z.strictObject({ name: z.string() })).min(1) }).optional(),
        allowedRoutes: z.strictObject({
          namespaces: z.discriminatedUnion('from', [
            z.strictObject({ from: z.enum(['Same', 'All']) }),
            z.strictObject({
              from: z.literal('Selector'),
              selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
            }),
          ]),
        }),
      }),
    ),
  }),
  HTTPRoute: z.strictObject({
    parentRefs: z.array(z.strictObject({ name: z.string(), namespace: z.string(), sectionName: z.string() })),
    hostnames: z.array(z.string()).optional(),
    rules: z.array(
      z.strictObject({
        matches: z
          .array(
            z.strictObject({
              path: z.strictObject({ type: z.enum(['PathPrefix', 'Exact']), value: z.string().startsWith('/') }),
            }),
          )
          .max(64)
          .optional(),
        filters: z
          .array(
            z.strictObject({
              type: z.literal('RequestRedirect'),
              requestRedirect: z.strictObject({ scheme: z.enum(['http', 'https']), statusCode: z.literal([301, 302]) }),
            }),
          )
          .optional(),
        backendRefs: z.array(z.strictObject({ name: z.string(), port })).optional(),
        timeouts: z.strictObject({ request: z.string().regex(/^(?:\d{1,5}(?:h|m|s|ms)){1,4}$/) }).optional(),
      }),
    ),
  }),
};

const secretKey = z.strictObject({ name: z.string(), key: z.string() });

/** Kinds that no package has, as their documentation describes them. */
const ownSchemas: Readonly<Record<string, z.ZodType>> = {
  'gateway.networking.k8s.io/v1 Gateway': z.strictObject({ ...kind, spec: gatewayApi.Gateway }),
  'gateway.networking.k8s.io/v1 HTTPRoute': z.strictObject({ ...kind, spec: gatewayApi.HTTPRoute }),
  'traefik.io/v1alpha1 Middleware': z.strictObject({
    ...kind,
    spec: z.strictObject({ ipAllowList: z.strictObject({ sourceRange: z.array(z.cidrv4()) }) }),
  }),
  'barmancloud.cnpg.io/v1 ObjectStore': z.strictObject({
    ...kind,
    spec: z.strictObject({
      retentionPolicy: z.string().regex(/^\d+[dwm]$/),
      configuration: z.strictObject({
        destinationPath: z.string().startsWith('s3://'),
        endpointURL: z.url().optional(),
        s3Credentials: z.strictObject({ accessKeyId: secretKey, secretAccessKey: secretKey }),
        wal: z.strictObject({ compression: z.enum(['gzip', 'lz4', 'snappy', 'xz', 'zstd']) }),
        data: z.strictObject({ compression: z.enum(['gzip', 'snappy']) }),
      }),
    }),
  }),
};

/** The faults of an object by the schema of its kind. A missing schema is a fault too. */
export async function schemaProblems(manifest: Manifest): Promise<string[]> {
  const title = titleOf(manifest);
  const own = ownSchemas[`${manifest.apiVersion} ${manifest.kind}`];
  if (own) return (own.safeParse(manifest).error?.issues ?? []).map(issue => `${title}: ${issue.message}`);
  const apiVersion = sameAs[manifest.apiVersion] ?? manifest.apiVersion;
  const model = (await models[apiVersion]?.())?.[manifest.kind] as Model | undefined;
  if (!model) return [`${title}: there is no schema of ${manifest.apiVersion} ${manifest.kind}`];
  const checked = { ...manifest, apiVersion };
  return [...mistakes(model, checked), ...unknownFields(model, checked)]
    .map(problem => `${title}: ${problem}`)
    .filter(problem => !newerFields.some(newer => newer.test(problem)));
}

function mistakes(model: Model, manifest: object): string[] {
  try {
    model.prototype.validate.call(manifest);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function unknownFields(model: Model, manifest: object): string[] {
  const unread = unreadFields(manifest, watched => {
    mistakes(model, watched);
  });
  return unread.map(path => `${path} is not in the schema`);
}

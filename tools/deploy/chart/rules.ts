/** How the overlays of Kustomize become a Helm chart: all that the chart says itself. Paths look like `Deployment/sfu:spec.replicas`. */

/** The chart has the part of production if `when` holds, and the part of the single node if `otherwise` does; default: if `when` does not. */
export interface Condition {
  at: RegExp;
  when: string;
  otherwise?: string;
}

/** Objects of both overlays that a value leaves out. */
export const options: readonly { at: RegExp; when: string }[] = [
  { at: /\/ingest(?:-config|-bus)?:/, when: '.Values.ingest.enabled' },
];

/** Differences between the overlays, and objects that a value leaves out. The first match counts. */
export const conditions: readonly Condition[] = [
  { at: /^Certificate\/ingest:/, when: 'and .Values.ingest.rtmps .Values.ingest.issuer' },
  { at: /RTMPS_|\[rtmps\]/, when: '.Values.ingest.rtmps' },
  { at: /^Certificate\/turn:/, when: 'and (eq .Values.turn.mode "bundled") .Values.turn.issuer' },
  { at: /^\w+\/turn(?:-script)?:/, when: 'eq .Values.turn.mode "bundled"' },
  { at: /TURN_SECRET_FILE|TURN_URLS|(?:volumes|volumeMounts)\[turn\]/, when: 'ne .Values.turn.mode "none"' },
  { at: /^(?:Cluster|ScheduledBackup|ObjectStore)\//, when: 'eq .Values.postgresql.mode "operator"' },
  {
    at: /^(?:StatefulSet|Service|ServiceAccount|NetworkPolicy)\/postgres/,
    when: 'eq .Values.postgresql.mode "operator"',
    otherwise: 'eq .Values.postgresql.mode "bundled"',
  },
  { at: /database-ca|DATABASE_CA_FILE/, when: '.Values.postgresql.ca' },
  { at: /^(?:StatefulSet|Service|ServiceAccount|ConfigMap)\/nats/, when: 'false', otherwise: '.Values.nats.bundled' },
  { at: /^(?:Certificate|Issuer)\/|bus-tls|NATS_(?:CA|CERT|KEY)_FILE/, when: '.Values.nats.tls' },
  { at: /NATS_REPLICAS/, when: '.Values.nats.replicas' },
  { at: /^(?:PodMonitor|PrometheusRule)\/|^ConfigMap\/dashboard-/, when: '.Values.monitoring.enabled' },
  {
    at: /^ScaledObject\/|\/deletion-costs:|:spec\.replicas$|^HorizontalPodAutoscaler\/gateway:spec\.metrics/,
    when: '.Values.autoscaling.enabled',
  },
  { at: /^PriorityClass\/|priorityClassName/, when: '.Values.priorityClasses.enabled' },
  {
    at: /RECORDINGS_S3_|volumeMounts\[bucket\]|volumes\[bucket\]|transcoder-bucket:/,
    when: '.Values.recordings.bucket',
  },
  {
    at: /^Deployment\/transcoder:.*(?:strategy|RTMS_NODE_ID|volumes\[media\])|^PersistentVolumeClaim\//,
    when: 'not .Values.recordings.volume.enabled',
  },
];

/** Values of the chart. Their defaults are the overlays' own. */
export const values: readonly { at: RegExp; is?: string; value: string }[] = [
  ...['gateway', 'sfu', 'transcoder', 'ingest'].flatMap(service => {
    const pod = `^Deployment\\/${service}:spec\\.template\\.spec\\.`;
    return [
      { at: new RegExp(`${pod}containers\\[${service}\\]\\.resources$`), value: `${service}.resources` },
      { at: new RegExp(`${pod}terminationGracePeriodSeconds$`), value: `${service}.terminationGracePeriodSeconds` },
      { at: new RegExp(`^Deployment\\/${service}:spec\\.replicas$`), value: `${service}.replicas` },
      { at: new RegExp(`\\/${service}:spec\\.minReplica(?:s|Count)$`), value: `${service}.minReplicas` },
      { at: new RegExp(`\\/${service}:spec\\.maxReplica(?:s|Count)$`), value: `${service}.maxReplicas` },
      { at: new RegExp(`^ScaledObject\\/${service}:spec\\.fallback\\.replicas$`), value: `${service}.minReplicas` },
    ];
  }),
  { at: /env\[ANNOUNCED_ADDRESS\]\.value$/, value: 'ingest.announcedAddress' },
  { at: /^Certificate\/ingest:spec\.dnsNames$/, value: 'ingest.dnsNames' },
  { at: /^Certificate\/ingest:spec\.issuerRef\.name$/, value: 'ingest.issuer' },
  { at: /^Deployment\/turn:spec\.replicas$/, value: 'turn.replicas' },
  { at: /^Deployment\/turn:.*\[turn\]\.image$/, value: 'turn.image' },
  { at: /^Deployment\/turn:.*\[turn\]\.resources$/, value: 'turn.resources' },
  { at: /env\[TURN_PEERS\]\.value$/, value: 'turn.peers' },
  { at: /^Certificate\/turn:spec\.issuerRef\.name$/, value: 'turn.issuer' },
  { at: /^NetworkPolicy\/turn:.*cidr$/, is: '10.0.0.0/16', value: 'network.nodes' },
  { at: /env\[RTC_ANNOUNCED_ADDRESS\]\.value$/, value: 'sfu.announcedAddress' },
  { at: /env\[NATS_REPLICAS\]\.value$/, value: 'nats.replicas' },
  { at: /^ConfigMap\/transcoder-config:data\.RECORDINGS_S3_BUCKET$/, value: 'recordings.bucket' },
  { at: /^ConfigMap\/transcoder-config:data\.RECORDINGS_S3_REGION$/, value: 'recordings.region' },
  { at: /^ConfigMap\/\w+-config:data\.TRUSTED_PROXIES$/, value: 'network.trustedProxies' },
  { at: /^Deployment\/transcoder:.*volumes\[media\]\.emptyDir\.sizeLimit$/, value: 'transcoder.mediaSize' },
  { at: /^PersistentVolumeClaim\/transcoder-media:.*storage$/, value: 'recordings.volume.size' },
  { at: /^NetworkPolicy\/(?:nats|transcoder):.*cidr$/, value: 'network.nodes' },
  { at: /kubernetes\.io\/metadata\.name$/, is: 'ingress', value: 'network.ingressNamespace' },
  { at: /kubernetes\.io\/metadata\.name$/, is: 'monitoring', value: 'network.monitoringNamespace' },
  { at: /kubernetes\.io\/metadata\.name$/, is: 'cnpg-system', value: 'network.postgresqlOperatorNamespace' },
  { at: /triggers\[\w[\w-]*\]\.metadata\.serverAddress$|env\[PROMETHEUS\]\.value$/, value: 'monitoring.prometheus' },
  { at: /^Cluster\/postgres:spec\.instances$/, value: 'postgresql.instances' },
  { at: /^Cluster\/postgres:spec\.storage\.size$/, value: 'postgresql.storage' },
  { at: /^ObjectStore\/.*destinationPath$/, value: 'postgresql.backups' },
  { at: /^Gateway\/public:spec\.gatewayClassName$/, value: 'routes.className' },
  { at: /^Gateway\/admin:spec\.gatewayClassName$/, value: 'routes.adminClassName' },
  { at: /^Ingress\/admin:.*whitelist-source-range$|^Middleware\/.*sourceRange\[0\]$/, value: 'routes.administrators' },
  {
    at: /^(?:Ingress\/.*|Gateway\/public:.*)cert-manager\.io\/cluster-issuer$/,
    value: 'routes.issuer',
  },
];

/** Variables that other objects depend on. All others are values: `gateway.config`, `sfu.config`. */
export const fixedVariables =
  /^(?:HOST|PORT|MANAGEMENT_PORT|PUBLIC_URL|MEDIA_NODE_ADDRESSES|NATS_URL|NATS_USER|TRUSTED_PROXIES|RTC_\w+|RECORDINGS_S3_\w+|TURN_URLS)$/;

/** In every text. */
export const texts: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/media\.example\.com,https:\/\/hls\.example\.com$/, '{{ include "rtms.mediaNodeAddresses" . }}'],
  [/^turn:turn\.example\.com.*$/, '{{ include "rtms.turnUrls" . }}'],
  [/\bturn\.example\.com\b/, '{{ .Values.hosts.turn }}'],
  [/^(?:nats|tls):\/\/nats\.rtms\.svc\.cluster\.local:4222$/, '{{ include "rtms.natsUrl" . }}'],
  [/\bnats\.rtms\.svc\./, 'nats.{{ .Release.Namespace }}.svc.'],
  [/\bnats-headless\.rtms\.svc\./, 'nats-headless.{{ .Release.Namespace }}.svc.'],
  [/\brtms-administrators@/, '{{ .Release.Namespace }}-administrators@'],
  [/\bapi\.example\.com\b/, '{{ .Values.hosts.api }}'],
  [/\badmin\.example\.com\b/, '{{ .Values.hosts.admin }}'],
  [/\bmedia\.example\.com\b/, '{{ .Values.hosts.media }}'],
  [/\bhls\.example\.com\b/, '{{ .Values.hosts.hls }}'],
  [
    /^registry\.example\.com\/rtms-(\w+):.*$/,
    '{{ .Values.image.registry }}/rtms-$1{{ with .Values.image.digests.$1 }}@{{ . }}{{ else }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}{{ end }}',
  ],
];

const pullSecrets = [
  '{{- with .Values.image.pullSecrets }}',
  'imagePullSecrets:',
  '  {{- toYaml . | nindent INDENT }}',
  '{{- end }}',
];
const placement = (service: string): string[] =>
  ['nodeSelector', 'tolerations'].flatMap(field => [
    `{{- with .Values.${service}.${field} }}`,
    `${field}:`,
    '  {{- toYaml . | nindent INDENT }}',
    '{{- end }}',
  ]);
const checksum = (service: string, more = ''): string =>
  `checksum/config: {{ list .Values.${service}.config .Values.hosts .Values.nats .Values.network .Values.recordings${more} | toJson | sha256sum }}`;

/** Lines at the end of an object's part. INDENT is the column of a field below the last key. */
export const additions: readonly { at: RegExp; lines: readonly string[] }[] = [
  {
    at: /^(?:Deployment\/(?:gateway|sfu|transcoder|ingest|turn)|Job\/migrate):spec\.template\.spec$/,
    lines: pullSecrets,
  },
  { at: /^CronJob\/deletion-costs:spec\.jobTemplate\.spec\.template\.spec$/, lines: pullSecrets },
  ...['gateway', 'sfu', 'transcoder', 'ingest', 'turn'].map(service => ({
    at: new RegExp(`^Deployment\\/${service}:spec\\.template\\.spec$`),
    lines: placement(service),
  })),
  {
    at: /^Service\/turn:metadata$/,
    lines: [
      '{{- with .Values.turn.serviceAnnotations }}',
      'annotations:',
      '  {{- toYaml . | nindent INDENT }}',
      '{{- end }}',
    ],
  },
  { at: /^Deployment\/gateway:spec\.template\.metadata$/, lines: ['annotations:', `  ${checksum('gateway')}`] },
  { at: /^Deployment\/sfu:spec\.template\.metadata\.annotations$/, lines: [checksum('sfu', ' .Values.turn')] },
  ...['transcoder', 'ingest'].map(service => ({
    at: new RegExp(`^Deployment\\/${service}:spec\\.template\\.metadata\\.annotations$`),
    lines: [checksum(service)],
  })),
];

/** Folder below `files/` with the content of a config map: a link to the folder that Kustomize reads. Undefined: the template has it. */
export function folderOf(configMap: string): string | undefined {
  if (configMap.startsWith('dashboard-')) return 'dashboards';
  if (configMap === 'turn-script') return undefined;
  return configMap === 'deletion-costs' ? 'scale-down' : 'nats';
}

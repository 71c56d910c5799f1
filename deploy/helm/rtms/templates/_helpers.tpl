{{- define "rtms.natsUrl" -}}
{{- if .Values.nats.url -}}
{{ .Values.nats.url }}
{{- else if .Values.nats.tls -}}
tls://nats.{{ .Release.Namespace }}.svc.cluster.local:4222
{{- else -}}
nats://nats.{{ .Release.Namespace }}.svc.cluster.local:4222
{{- end -}}
{{- end -}}

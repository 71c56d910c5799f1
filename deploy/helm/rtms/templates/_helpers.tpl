{{- define "rtms.natsUrl" -}}
{{- if .Values.nats.url -}}
{{ .Values.nats.url }}
{{- else if .Values.nats.tls -}}
tls://nats.{{ .Release.Namespace }}.svc.cluster.local:4222
{{- else -}}
nats://nats.{{ .Release.Namespace }}.svc.cluster.local:4222
{{- end -}}
{{- end -}}

{{- define "rtms.turnUrls" -}}
{{- if eq .Values.turn.mode "external" -}}
{{ .Values.turn.urls }}
{{- else -}}
turn:{{ .Values.hosts.turn }}?transport=udp,turns:{{ .Values.hosts.turn }}:443?transport=tcp
{{- end -}}
{{- end -}}

{{- define "rtms.mediaNodeAddresses" -}}
https://{{ .Values.hosts.media }},https://{{ .Values.hosts.hls }}
{{- if .Values.ingest.enabled -}}
,{{ .Values.network.nodes }}
{{- if .Values.ingest.rtmps }}{{ range .Values.ingest.dnsNames }},{{ . }}{{ end }}{{ end }}
{{- with .Values.ingest.announcedAddress }}{{ if not (contains "$(" .) }},{{ . }}{{ end }}{{ end }}
{{- end -}}
{{- end -}}

{{/* By which a process's pods are found; of (dict "root" $ "process" "api"). */}}
{{- define "booking.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- define "booking.metadata" -}}
name: {{ .root.Release.Name }}-{{ .name | default .process }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "booking.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "booking.image" -}}
{{- $image := .root.Values.image -}}
{{- $tag := $image.tag | default .root.Chart.AppVersion -}}
{{- if and $image.workerTag (has .process (list "worker" "migrate")) -}}
{{ $image.repository }}:{{ $image.workerTag }}
{{- else -}}
{{ $image.repository }}:{{ $tag }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end }}

{{/* All workers of ours at Temporal, as its Worker Controller calls them. */}}
{{- define "booking.deployment" -}}
{{ .Release.Namespace }}/{{ .Release.Name }}-worker
{{- end }}

{{/*
A process's container and what it mounts. The Worker Controller adds Temporal's address, namespace and credentials to its
pods by itself; given twice, the process would refuse them.
*/}}
{{- define "booking.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $files := fromYaml ($root.Files.Get "files/processes.yaml") -}}
{{- $process := get $files .process -}}
{{- $managed := and (eq .process "worker") $values.worker.controller -}}
{{- $goesOn := ne .process "migrate" -}}
{{- $given := list -}}
{{- if $managed -}}
{{- $given = list "TEMPORAL_ADDRESS" "TEMPORAL_NAMESPACE" "TEMPORAL_TLS_SERVER_NAME" "TEMPORAL_API_KEY" -}}
{{- if $values.temporal.certificate -}}{{- $given = append $given "TEMPORAL_TLS" -}}{{- end -}}
{{- end -}}
{{- $absent := without $files.optionalSecrets "" -}}
{{- range $values.secrets.optional -}}{{- $absent = without $absent . -}}{{- end -}}
{{- $secrets := dict -}}
{{- range $setting, $key := $process.secrets -}}
{{- if not (or (has $key $absent) (has $setting $given)) -}}{{- $_ := set $secrets $setting $key -}}{{- end -}}
{{- end -}}
automountServiceAccountToken: false
# a Service's address in OPERATOR_API_PORT would be no port
enableServiceLinks: false
# a pause and the process's own 28 s
terminationGracePeriodSeconds: 45
securityContext: {{- toYaml $values.podSecurityContext | nindent 2 }}
{{- with $values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if $goesOn }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels: {{- include "booking.selector" . | nindent 14 }}
{{- end }}
containers:
  - name: {{ .process }}
    image: {{ include "booking.image" . }}
    # a tag may have moved, and whether this node may have the image is asked anew
    imagePullPolicy: Always
    command: [node, {{ $process.entry }}]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources: {{- toYaml .resources | nindent 6 }}
    env:
      {{- range concat ($goesOn | ternary $files.common list) $process.settings }}
      {{- $value := get $values.settings . | toString }}
      {{- if and (hasKey $values.settings .) (ne $value "") (not (has . $given)) }}
      - { name: {{ . }}, value: {{ $value | quote }} }
      {{- end }}
      {{- end }}
      {{- range $name, $value := $process.fixed }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- range $setting, $key := $secrets }}
      - { name: {{ $setting }}_FILE, value: /run/secrets/{{ $key }} }
      {{- end }}
      {{- if $goesOn }}
      {{- with $values.files.credentials }}
      - { name: CREDENTIALS_DIRECTORY, value: /run/credentials }
      {{- end }}
      {{- if and $values.files.partnerMarks (eq .process "api") }}
      - { name: PARTNER_MARKS_DIRECTORY, value: /run/partner-marks }
      {{- end }}
      {{- if and $values.worker.controller (not $managed) }}
      - { name: TEMPORAL_DEPLOYMENT_NAME, value: {{ include "booking.deployment" $root }} }
      {{- end }}
      {{- if $values.temporal.certificate }}
      {{- if not $managed }}
      - { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/temporal/tls/tls.crt }
      - { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/temporal/tls/tls.key }
      {{- end }}
      {{- if $values.temporal.ownAuthority }}
      - { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /etc/temporal/tls/ca.crt }
      {{- end }}
      {{- end }}
      {{- range $name, $value := $values.environment }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- end }}
    {{- if $goesOn }}
    ports:
      - { name: http, containerPort: {{ $process.port }} }
      - { name: metrics, containerPort: {{ $process.metrics }} }
    # it waits for PostgreSQL before it answers
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 2
    {{- if ne .process "worker" }}
    # until no proxy sends anything here any more
    lifecycle:
      preStop:
        sleep: { seconds: 5 }
    {{- end }}
    {{- end }}
    volumeMounts:
      - { name: secrets, mountPath: /run/secrets, readOnly: true }
      {{- if $values.files.postgresql }}
      - { name: postgresql, mountPath: /run/postgresql, readOnly: true }
      {{- end }}
      {{- if $goesOn }}
      - { name: tmp, mountPath: /tmp }
      {{- if eq .process "operator-api" }}
      - { name: socket, mountPath: /run/operator }
      {{- end }}
      {{- if $values.files.credentials }}
      - { name: credentials, mountPath: /run/credentials, readOnly: true }
      {{- end }}
      {{- if and $values.files.partnerMarks (eq .process "api") }}
      - { name: partner-marks, mountPath: /run/partner-marks, readOnly: true }
      {{- end }}
      {{- if and $values.temporal.certificate (not $managed) }}
      - { name: temporal-tls, mountPath: /etc/temporal/tls, readOnly: true }
      {{- end }}
      {{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ $values.secrets.name }}
      defaultMode: 0440
      items:
        {{- range $key := values $secrets | sortAlpha }}
        - { key: {{ $key }}, path: {{ $key }} }
        {{- end }}
  {{- with $values.files.postgresql }}
  - { name: postgresql, secret: { secretName: {{ . }}, defaultMode: 0440 } }
  {{- end }}
  {{- if $goesOn }}
  - { name: tmp, emptyDir: { sizeLimit: 128Mi } }
  {{- if eq .process "operator-api" }}
  - { name: socket, emptyDir: { medium: Memory, sizeLimit: 1Mi } }
  {{- end }}
  {{- with $values.files.credentials }}
  - { name: credentials, secret: { secretName: {{ . }}, defaultMode: 0440 } }
  {{- end }}
  {{- if eq .process "api" }}
  {{- with $values.files.partnerMarks }}
  - { name: partner-marks, configMap: { name: {{ . }} } }
  {{- end }}
  {{- end }}
  {{- if and $values.temporal.certificate (not $managed) }}
  - { name: temporal-tls, secret: { secretName: {{ $values.temporal.certificate }}, defaultMode: 0440 } }
  {{- end }}
  {{- end }}
{{- end }}

{{/*
The container of both modes. Called with a list: the root, the arguments that are the mode's own,
further environment, further mounts.
*/}}
{{- define "fss.container" -}}
{{- $root := index . 0 -}}
{{- with $root.Values -}}
image: {{ include "fss.image" $root }}
imagePullPolicy: {{ .image.pullPolicy }}
args:
  - serve
{{- range index $ 1 }}
  - {{ . | quote }}
{{- end }}
  - --listen=0.0.0.0:{{ .port }}
  - --poll_interval={{ .pollInterval }}
  - --request_timeout={{ .requestTimeout }}
  - --log_format={{ .log.format }}
  - --log_level={{ .log.level }}
{{- if .history.enabled }}
  - --history_file=/history/history.db
  - --history_retention={{ .history.retention }}
  - --history_max_bytes={{ .history.maxBytes | int64 }}
{{- end }}
{{- if include "fss.planFolder" $root }}
  - --plan_dir=/plans
{{- end }}
{{- if include "fss.rulesConfigMap" $root }}
  - --rules_file=/rules/rules.yaml
{{- end }}
{{- if .tls.caSecret.name }}
  - --ca_file=/tls/{{ .tls.caSecret.key }}
{{- else if .tls.caConfigMap.name }}
  - --ca_file=/tls/{{ .tls.caConfigMap.key }}
{{- end }}
{{- if .tls.skipVerify }}
  - --tls_skip_verify
{{- end }}
{{- range .extraArgs }}
  - {{ . | quote }}
{{- end }}
{{- with concat (index $ 2) .extraEnv }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - name: metrics
    containerPort: {{ .port }}
    protocol: TCP
# Alive is answered without asking anybody: a JobManager or API server that is down restarts nothing.
livenessProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 2
  failureThreshold: 3
readinessProbe:
  httpGet:
    path: /readyz
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 2
resources:
  {{- toYaml .resources | nindent 2 }}
securityContext:
  {{- toYaml .securityContext | nindent 2 }}
{{- $mounts := concat (include "fss.mounts" $root | fromYamlArray) (index $ 3) .extraVolumeMounts }}
{{- with $mounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Whole folders, no subPath: only so do changes arrive. */}}
{{- define "fss.mounts" -}}
{{- if .Values.history.enabled }}
- name: history
  mountPath: /history
{{- end }}
{{- if include "fss.planFolder" . }}
- name: plans
  mountPath: /plans
  readOnly: true
{{- end }}
{{- if include "fss.rulesConfigMap" . }}
- name: rules
  mountPath: /rules
  readOnly: true
{{- end }}
{{- if or .Values.tls.caSecret.name .Values.tls.caConfigMap.name }}
- name: tls
  mountPath: /tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* The volumes of these mounts, but for a history that is claimed. */}}
{{- define "fss.volumes" -}}
{{- $claimed := and (eq .Values.mode "operator") .Values.history.persistence.enabled }}
{{- if and .Values.history.enabled (not $claimed) }}
- name: history
  emptyDir:
    sizeLimit: {{ .Values.history.sizeLimit }}
{{- end }}
{{- if include "fss.planFolder" . }}
- name: plans
  projected:
    sources:
{{- if eq .Values.mode "sidecar" }}
      # Without it the JobManager starts all the same, with an empty folder.
      - configMap:
          name: {{ include "fss.fullname" . }}-plans
          optional: true
{{- end }}
{{- with .Values.plans.existingConfigMap }}
      - configMap:
          name: {{ . | quote }}
          optional: true
{{- end }}
{{- with .Values.plans.existingSecret }}
      - secret:
          name: {{ . | quote }}
          optional: true
{{- end }}
{{- end }}
{{- with include "fss.rulesConfigMap" . }}
- name: rules
  configMap:
    name: {{ . | quote }}
{{- end }}
{{- if .Values.tls.caSecret.name }}
- name: tls
  secret:
    secretName: {{ .Values.tls.caSecret.name | quote }}
{{- else if .Values.tls.caConfigMap.name }}
- name: tls
  configMap:
    name: {{ .Values.tls.caConfigMap.name | quote }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* For a Prometheus that finds pods by annotation. */}}
{{- define "fss.scrapeAnnotations" -}}
{{- if and .Values.prometheus.scrapeAnnotations (eq .Values.prometheus.monitor.kind "none") -}}
prometheus.io/scrape: "true"
prometheus.io/port: {{ .Values.port | quote }}
prometheus.io/path: /metrics
{{- end -}}
{{- end -}}

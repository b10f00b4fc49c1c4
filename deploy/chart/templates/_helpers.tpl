{{- define "fss.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* 46 characters: what is added to it ("-leader-election", a StatefulSet's hash) still fits 63. */}}
{{- define "fss.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 46 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "fss.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 46 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 46 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* For objects without a namespace: releases of one name in two namespaces do not meet. */}}
{{- define "fss.clusterName" -}}
{{- $name := include "fss.fullname" . -}}
{{- eq $name .Release.Namespace | ternary $name (printf "%s-%s" .Release.Namespace $name) -}}
{{- end -}}

{{- define "fss.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "fss.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "fss.release" -}}
app.kubernetes.io/name: {{ include "fss.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The pods of mode operator, and nothing else: not the pod of `helm test`. */}}
{{- define "fss.selector" -}}
{{ include "fss.release" . }}
app.kubernetes.io/component: operator
{{- end -}}

{{- define "fss.labels" -}}
{{ include "fss.release" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "fss.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Pods of mode operator. */}}
{{- define "fss.pods" -}}
{{- mul .Values.replicas .Values.shards -}}
{{- end -}}

{{- define "fss.statefulSet" -}}
{{- if or (gt (int .Values.shards) 1) (and .Values.history.enabled .Values.history.persistence.enabled) -}}
yes
{{- end -}}
{{- end -}}

{{/*
"yes" where something is mounted at /plans: in mode sidecar always, so that plans that come later restart no
JobManager.
*/}}
{{- define "fss.planFolder" -}}
{{- with .Values.plans -}}
{{- if or .existingConfigMap .existingSecret (eq $.Values.mode "sidecar") -}}
yes
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "fss.rulesConfigMap" -}}
{{- if .Values.rules.existingConfigMap -}}
{{ .Values.rules.existingConfigMap }}
{{- else if .Values.rules.content -}}
{{ include "fss.fullname" . }}-rules
{{- end -}}
{{- end -}}

{{/* What the schema cannot say. */}}
{{- define "fss.validate" -}}
{{- if and (eq .Values.mode "sidecar") (eq .Values.prometheus.monitor.kind "ServiceMonitor") -}}
{{- fail "prometheus.monitor.kind: mode sidecar has no Service; take PodMonitor" -}}
{{- end -}}
{{- if and .Values.tls.caSecret.name .Values.tls.caConfigMap.name -}}
{{- fail "tls: caSecret or caConfigMap, not both" -}}
{{- end -}}
{{- if and .Values.rules.content .Values.rules.existingConfigMap -}}
{{- fail "rules: content or existingConfigMap, not both" -}}
{{- end -}}
{{- $size := 0 -}}
{{- range .Values.plans.files -}}{{- $size = add $size (len .) -}}{{- end -}}
{{- if gt (int $size) 1000000 -}}
{{- fail (printf "plans.files: %d bytes; a ConfigMap holds 1 MiB" (int $size)) -}}
{{- end -}}
{{- end -}}

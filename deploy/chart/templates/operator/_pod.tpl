{{/* The pod template of the Deployment and of the StatefulSets. */}}
{{- define "fss.podTemplate" -}}
metadata:
  labels:
    {{- /* Not the chart's version: a chart that renders the same pods restarts none. */}}
    {{- include "fss.selector" . | nindent 4 }}
    {{- with .Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge (deepCopy .Values.podAnnotations) (include "fss.scrapeAnnotations" . | fromYaml) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "fss.serviceAccount" . | quote }}
  automountServiceAccountToken: true
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . | quote }}
  {{- end }}
  securityContext:
    {{- toYaml .Values.podSecurityContext | nindent 4 }}
  containers:
    - name: state-sidecar
      {{- include "fss.container" (list . (include "fss.operatorArgs" . | fromYamlArray) list list) | nindent 6 }}
  {{- with include "fss.volumes" . | fromYamlArray }}
  volumes:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with include "fss.affinity" . }}
  affinity:
    {{- . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "fss.operatorArgs" -}}
- --kubernetes
{{- with .Values.watch.namespaces }}
- --kubernetes_namespaces={{ join "," . }}
{{- end }}
{{- with .Values.watch.serviceSelector }}
- {{ printf "--kubernetes_service_selector=%s" . | quote }}
{{- end }}
{{- if .Values.events.enabled }}
- --kubernetes_events
{{- end }}
{{- if gt (int .Values.replicas) 1 }}
- --leader_election
- --lease_name={{ include "fss.fullname" . }}
{{- end }}
{{- if gt (int .Values.shards) 1 }}
- --shard=auto/{{ .Values.shards }}
{{- end }}
{{- end -}}

{{- define "fss.affinity" -}}
{{- if .Values.affinity -}}
{{ toYaml .Values.affinity }}
{{- else if gt (int (include "fss.pods" .)) 1 -}}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    {{- range $key, $weight := dict "kubernetes.io/hostname" 100 "topology.kubernetes.io/zone" 50 }}
    - weight: {{ $weight }}
      podAffinityTerm:
        topologyKey: {{ $key }}
        labelSelector:
          matchLabels:
            {{- include "fss.selector" $ | nindent 12 }}
    {{- end }}
{{- end -}}
{{- end -}}

{{/* docs/user/kubernetes.md says what for; a test removes each verb and looks what is denied. */}}
{{- define "fss.watchRules" -}}
- apiGroups: [flink.apache.org]
  resources: [flinkdeployments, flinksessionjobs]
  verbs: [list, watch]
- apiGroups: [""]
  resources: [services, configmaps]
  verbs: [list, watch]
{{- if .Values.events.enabled }}
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end }}
{{- end }}
{{- define "fss.subjects" -}}
- kind: ServiceAccount
  name: {{ include "fss.serviceAccount" . | quote }}
  namespace: {{ .Release.Namespace | quote }}
{{- end }}

{{/* What the JobManager's pod gets: metadata and spec, without Flink's own container. */}}
{{- define "fss.sidecarPod" -}}
{{- with merge (deepCopy .Values.podAnnotations) (include "fss.scrapeAnnotations" . | fromYaml) }}
metadata:
  annotations:
    {{- toYaml . | nindent 4 }}
{{- end }}
spec:
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: state-sidecar
      {{- $mounts := include "fss.noTokenMount" . | fromYamlArray }}
      {{- $environment := include "fss.sidecarEnvironment" . | fromYamlArray }}
      {{- include "fss.container" (list . (include "fss.sidecarArgs" . | fromYamlArray) $environment $mounts) | nindent 6 }}
  volumes:
    {{- include "fss.volumes" . | fromYamlArray | toYaml | nindent 4 }}
    - name: no-token
      emptyDir: {}
{{- end -}}

{{- define "fss.sidecarArgs" -}}
- --jobmanager_url={{ .Values.sidecar.jobmanagerUrl }}
- --cluster={{ default "$(FLINK_CLUSTER)" .Values.sidecar.cluster }}
{{- end -}}

{{- define "fss.sidecarEnvironment" -}}
{{- if not .Values.sidecar.cluster }}
- name: FLINK_CLUSTER
  valueFrom:
    fieldRef:
      fieldPath: metadata.labels['app']
{{- end }}
{{- end -}}

{{/*
The JobManager may need its token, and the setting counts for a whole pod. Kubernetes leaves out a
container that has a mount at this path: an empty folder keeps the token from the sidecar.
*/}}
{{- define "fss.noTokenMount" -}}
- name: no-token
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end -}}

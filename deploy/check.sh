#!/bin/sh
# Checks the chart with several sets of values, by helm, kubeconform and kube-score of the PATH. kubeconform takes its schemas
# where $SCHEMAS says (a place of its -schema-location); without it, its own, and passes over kinds that these lack.
set -eu
cd "$(dirname "$0")/helm"
objects=$(mktemp)
trap 'rm -f "$objects"' EXIT
# the oldest that Chart.yaml takes, and a newer one
for kubernetes in 1.30.0 1.36.0; do
  for trial in trials/*.yaml; do
    echo "--- $trial, Kubernetes $kubernetes"
    set -- . --kube-version "$kubernetes" --namespace booking \
      --set-file monitoring.rules=../../monitoring/prometheus/alarms.yml --values trials/least.yaml --values "$trial"
    helm lint --strict --quiet "$@"
    helm template booking "$@" > "$objects"
    if [ -n "${SCHEMAS:-}" ]; then
      kubeconform -strict -summary -schema-location "$SCHEMAS" < "$objects"
    else
      kubeconform -strict -summary -ignore-missing-schemas -kubernetes-version "$kubernetes" < "$objects"
    fi
    # it knows no WorkerDeployment, and takes its policy for nobody's
    kube-score score --ignore-test networkpolicy-targets-pod "$objects"
  done
done

"""Real processes for the demo and the integration tests: Flink, Prometheus, the sidecar.

Standard library only. Everything that is started here is stopped here, by its own process id,
also when the caller dies: children are started with a parent-death signal.
"""

/** Counts for an operator, as Prometheus reads them. */
export interface Metrics {
  /** One answer, by the operation and its status. */
  readonly count: (operation: string, status: number, seconds: number) => void
  readonly text: (gauges: { readonly [name: string]: number }) => string
}

/** Operations and statuses are ours, so there are few lines, whatever is asked. */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const seconds = new Map<string, number>()
  const grow = (counts: Map<string, number>, key: string, by: number) =>
    counts.set(key, (counts.get(key) ?? 0) + by)
  return {
    count(operation, status, spent) {
      grow(requests, `operation="${operation}",status="${status}"`, 1)
      grow(seconds, `operation="${operation}"`, spent)
    },
    text: (gauges) =>
      [
        '# HELP parley_registry_requests_total Answers by operation and status.',
        '# TYPE parley_registry_requests_total counter',
        ...[...requests].map(([labels, n]) => `parley_registry_requests_total{${labels}} ${n}`),
        '# HELP parley_registry_request_seconds_total Time until answers began, by operation.',
        '# TYPE parley_registry_request_seconds_total counter',
        ...[...seconds].map(
          ([labels, n]) => `parley_registry_request_seconds_total{${labels}} ${n.toFixed(6)}`,
        ),
        ...Object.entries(gauges).flatMap(([name, value]) => [
          `# TYPE parley_registry_${name} gauge`,
          `parley_registry_${name} ${value}`,
        ]),
        '',
      ].join('\n'),
  }
}

import type { DrainReport } from '../../../server/calls/calls-in-flight.ts'
import type { Service } from '../../../server/peer/serve.ts'
import type { HttpEndpoint } from '../endpoint.ts'

/** Draining and the end of an endpoint, with what belongs around it. */
export function createRunningService(
  endpoint: Pick<HttpEndpoint, 'drain'>,
  {
    drainMs = 10_000,
    close = async () => {},
  }: { drainMs?: number; close?: () => Promise<void> } = {},
): Service {
  let draining: Promise<DrainReport> | undefined
  let markClosed: () => void
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const report = await endpoint.drain(deadlineMs)
    await close()
    markClosed()
    return report
  }

  const service: Service = {
    drain: ({ deadlineMs = drainMs } = {}) => (draining ??= drain(deadlineMs)),
    closed,
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  return service
}

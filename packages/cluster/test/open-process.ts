import type { StoreCluster } from '@parley/cluster'
import { serveHttp, type HttpService, type ServeHttpOptions } from '@parley/mcp/node'
import { onTestFinished } from 'vitest'

import { createClock } from './clock.ts'

/** One of several processes. */
export interface OpenProcess {
  readonly service: HttpService
  readonly cluster: StoreCluster
}

/** Serves a clock, until the test is over. */
export async function openProcess(
  position: string,
  cluster: StoreCluster,
  options: ServeHttpOptions = {},
): Promise<OpenProcess> {
  const service = await serveHttp(createClock(position, cluster.tasks), {
    port: 0,
    ownsProcess: false,
    cluster,
    ...options,
  })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return { service, cluster }
}

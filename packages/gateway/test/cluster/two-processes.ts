import { createCluster, createMemoryClusterStore } from '@parley/cluster'
import { startBalancer, type Balancer } from '@parley/cluster/testing'
import type { Gateway, GatewayOptions } from '@parley/gateway'

import { startTestGateway } from '../gateway/running.ts'

export const secret = '0123456789abcdef0123456789abcdef0123456789'

/** Two gateways of this process that share what two processes would, behind a balancer that gives each request to the next. */
export interface Two extends AsyncDisposable {
  /** Where clients call. */
  readonly url: URL
  readonly gateways: readonly [Gateway, Gateway]
  readonly balancer: Balancer
}

export async function startTwo(
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'>,
  leaseMs = 3_000,
): Promise<Two> {
  const store = createMemoryClusterStore()
  const start = (): Promise<Gateway> =>
    startTestGateway({
      ...options,
      cluster: {
        store: createCluster({ ...store, close: async () => undefined }, { secret, leaseMs }),
      },
    })
  const gateways = [await start(), await start()] as const
  const balancer = await startBalancer()
  for (const { url } of gateways) if (url) balancer.add(url.href)
  return {
    url: new URL('/mcp', balancer.url),
    gateways,
    balancer,
    async [Symbol.asyncDispose]() {
      await balancer[Symbol.asyncDispose]()
      await Promise.all(gateways.map((each) => each.close({ deadlineMs: 0 })))
    },
  }
}

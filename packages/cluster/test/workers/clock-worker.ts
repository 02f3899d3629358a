/** The clock of the cluster's tests as a Worker with Durable Objects. */
import { createMcpObject, type ObjectNamespace, routeToObjects } from '@parley/cluster/workers'

import { createClock } from '../clock.ts'

interface Env {
  readonly CLOCK: ObjectNamespace
  readonly SECRET: string
  readonly OBJECTS: string
}

export const Clock = createMcpObject<Env>({
  secret: ({ SECRET }) => SECRET,
  server: ({ cluster }) => createClock(cluster.node, cluster.tasks),
  http: {},
  cluster: { leaseMs: 300 },
})

export default {
  fetch(request: Request, { CLOCK, OBJECTS }: Env): Promise<Response> {
    const callerOf = ({ headers }: Request): string | null => headers.get('x-caller')
    return routeToObjects(request, CLOCK, { objects: Number(OBJECTS), callerOf })
  },
}

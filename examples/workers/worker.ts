import { createMcpObject, routeToObjects, type ObjectNamespace } from '@parley/cluster/workers'
import { createServer } from '@parley/mcp/server'
import { serverTasks } from '@parley/mcp/tasks'
import { z } from 'zod'

/** What `wrangler.jsonc` binds. */
interface Env {
  readonly KITCHEN: ObjectNamespace
  readonly PARLEY_SECRET: string
  readonly PUBLIC_URL: string
}

/** The class whose objects have the sessions and tasks. */
export const Kitchen = createMcpObject<Env>({
  secret: ({ PARLEY_SECRET }) => PARLEY_SECRET,
  http: ({ PUBLIC_URL }) => ({ url: PUBLIC_URL }),
  server({ cluster }) {
    const extensions = [serverTasks({ store: cluster.tasks })]
    const kitchen = createServer({ name: 'kitchen', version: '1.0.0', extensions })

    kitchen.tool(
      'order',
      { description: 'Orders a dish, and asks how hot it should be.' },
      async (_, context) => {
        const requestedSchema = z.object({ spice: z.enum(['mild', 'hot']) })
        const answer = await context.elicit({ message: 'How hot?', requestedSchema })
        return answer.action === 'accept' ? `One curry, ${answer.content.spice}` : 'No curry then'
      },
    )

    kitchen.tool(
      'bake',
      {
        description: 'Bakes bread. Takes a while, and goes on when you leave.',
        inputSchema: z.object({ loaves: z.int().min(1).max(100) }),
        task: 'optional',
      },
      async ({ loaves }, context) => {
        for (let progress = 1; progress <= loaves; progress += 1) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          await context.progress({ progress, total: loaves })
        }
        return `${loaves} loaves`
      },
    )
    return kitchen
  },
})

export default {
  fetch: (request: Request, env: Env): Promise<Response> =>
    routeToObjects(request, env.KITCHEN, { objects: 8 }),
}

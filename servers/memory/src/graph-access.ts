import { StoreError } from '@parley/server-kit/store'
import { explainErrors } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { Graph } from './graph/graph.ts'
import type { Graphs } from './graphs.ts'
import { whichGraph } from './schemas.ts'

/** What may be switched on beyond the reference. */
export const extras = [
  'search',
  'depth',
  'update',
  'merge',
  'export',
  'graphs',
  'entities',
] as const
export type Extra = (typeof extras)[number]

/** What tools are made with. */
export interface GraphAccess {
  has(extra: Extra): boolean
  /** The schema of a tool's input: with the choice of a graph, where there is one. */
  input<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape>
  /** Looks at the graph the arguments name. */
  read<R>(args: object, look: (graph: Graph) => Promise<R>): Promise<R>
  /** Changes it, and tells who follows it. */
  change<R>(args: object, work: (graph: Graph) => Promise<R>): Promise<R>
  /** Calls `changed` whenever a graph was written to, here or by another process. */
  follow(graph: string, changed: () => void, signal: AbortSignal): void
  readonly graphs: Graphs
}

/** Access to some graphs. */
export function createGraphAccess(graphs: Graphs, enabled: ReadonlySet<Extra>): GraphAccess {
  const hasGraphs = enabled.has('graphs')
  const followers = new Set<{ readonly graph: string; readonly changed: () => void }>()

  function nameIn(args: object): string {
    const name = hasGraphs && 'graph' in args ? args.graph : undefined
    return typeof name === 'string' ? name : ''
  }

  return {
    graphs,
    has: (extra) => enabled.has(extra),
    // The choice is read by `nameIn` alone, so that tools need not know of it.
    input: (shape) => z.object(hasGraphs ? { ...shape, graph: whichGraph } : shape),
    read: (args, look) => explained(async () => look(graphs.open(nameIn(args)))),
    change: (args, work) =>
      explained(async () => {
        const name = nameIn(args)
        const result = await work(graphs.open(name))
        for (const { graph, changed } of followers) if (graph === name) changed()
        return result
      }),
    follow(graph, changed, signal) {
      const follower = { graph, changed }
      followers.add(follower)
      signal.addEventListener('abort', () => followers.delete(follower), { once: true })
      graphs.open(graph).store.watch(changed, signal)
    },
  }
}

/** What is wrong with the file is for the model and its user to know. */
const explained = explainErrors((error) => error instanceof StoreError)

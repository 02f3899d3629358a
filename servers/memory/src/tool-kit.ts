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
export interface ToolKit {
  has(extra: Extra): boolean
  /** The schema of a tool's input: with the choice of a graph, where there is one. */
  input<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape>
  /** Looks at the graph the arguments name. */
  read<R>(args: object, look: (graph: Graph) => Promise<R>): Promise<R>
  /** Changes it, and tells who follows it. */
  change<R>(args: object, work: (graph: Graph) => Promise<R>): Promise<R>
  readonly graphs: Graphs
}

/** Tools over some graphs. `changed` hears which one was written to. */
export function createToolKit(
  graphs: Graphs,
  enabled: ReadonlySet<Extra>,
  changed: (graph: string) => void,
): ToolKit {
  const hasGraphs = enabled.has('graphs')

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
        changed(name)
        return result
      }),
  }
}

/** What is wrong with the file is for the model and its user to know. */
const explained = explainErrors((error) => error instanceof StoreError)

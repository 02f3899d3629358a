import { ToolError } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { pageOf } from '../extras/ranked.ts'
import type { GraphAccess } from '../graph-access.ts'
import {
  matches,
  neighbourhood,
  partWhere,
  relationsOf,
  wholeGraph,
  type PartOfGraph,
} from '../graph/select.ts'
import type { GraphView } from '../graph/view.ts'
import { graphSchema } from '../schemas.ts'

const depth = z
  .int()
  .min(0)
  .max(5)
  .optional()
  .describe('Also what is within so many relations of it; 0 unless said')
const limit = z.int().min(1).max(1000).optional().describe('The best so many, best first')
const cursor = z.string().optional().describe('nextCursor of the answer before')

/** The three tools that look. */
export function readTools({ has, input, read }: GraphAccess): readonly Feature[] {
  // All are optional, so a schema without them yields what one with them may yield.
  const depthField = (has('depth') ? { depth } : {}) as { depth: typeof depth }
  const pageFields = (has('search') ? { limit, cursor } : {}) as {
    limit: typeof limit
    cursor: typeof cursor
  }
  const look = (args: object, select: (view: GraphView) => Selected) =>
    read(args, (graph) => graph.store.read((view) => prettyResult(select(view))))

  return [
    defineTool(
      'read_graph',
      {
        title: 'Read Graph',
        description: 'Gives the whole knowledge graph.',
        inputSchema: input({}),
        outputSchema: graphSchema,
        annotations: toolHints('reads'),
        task: 'never',
      },
      (args) => look(args, wholeGraph),
    ),
    defineTool(
      'search_nodes',
      {
        title: 'Search Nodes',
        description:
          'Finds entities by a text in their name, type or facts, in any case, with their relations.',
        inputSchema: input({
          query: z.string().describe('The text to look for'),
          ...pageFields,
          ...depthField,
        }),
        outputSchema: has('search')
          ? graphSchema.extend({ nextCursor: z.string().optional() })
          : graphSchema,
        annotations: toolHints('reads'),
        task: 'never',
      },
      (args) => look(args, (view) => search(view, args)),
    ),
    defineTool(
      'open_nodes',
      {
        title: 'Open Nodes',
        description: 'Gives entities by their names, with their relations.',
        inputSchema: input({
          names: z.array(z.string()).describe('The names of the entities'),
          ...depthField,
        }),
        outputSchema: graphSchema,
        annotations: toolHints('reads'),
        task: 'never',
      },
      (args) =>
        look(args, (view) => {
          const names = neighbourhood(view, args.names, args.depth ?? 0)
          return partWhere(view, ({ name }) => names.has(name))
        }),
    ),
  ]
}

interface Selected extends PartOfGraph {
  readonly nextCursor?: string
}
interface Search {
  readonly query: string
  readonly depth?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

function search(
  view: GraphView,
  { query, depth: steps = 0, limit: most, cursor: after }: Search,
): Selected {
  if (most === undefined && after === undefined) {
    const found = partWhere(view, matches(query))
    if (steps === 0) return found
    const names = neighbourhood(view, namesOf(found), steps)
    return partWhere(view, ({ name }) => names.has(name))
  }
  const page = pageOf(view.entities.values(), query, { limit: most ?? 20, after })
  if (page === undefined) {
    throw new ToolError(
      'That cursor is not from an answer to this query. Leave it out to start again.',
    )
  }
  const near = neighbourhood(view, namesOf(page), steps)
  for (const { name } of page.entities) near.delete(name)
  const around = partWhere(view, ({ name }) => near.has(name)).entities
  const entities = [...page.entities, ...around]
  const { nextCursor } = page
  const relations = relationsOf(view, entities)
  return { entities, relations, ...(nextCursor !== undefined && { nextCursor }) }
}

function namesOf({ entities }: Pick<PartOfGraph, 'entities'>): readonly string[] {
  return entities.map(({ name }) => name)
}

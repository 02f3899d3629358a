import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { GraphAccess } from '../graph-access.ts'
import { entitySchema, relationSchema } from '../schemas.ts'

/** The three tools that add something. */
export function createTools({ input, change }: GraphAccess): readonly Feature[] {
  return [
    defineTool(
      'create_entities',
      {
        title: 'Create Entities',
        description:
          'Adds entities to the knowledge graph. Names that are there already are left as they are.',
        inputSchema: input({ entities: z.array(entitySchema).describe('The entities to add') }),
        outputSchema: z.object({ entities: z.array(entitySchema) }),
        annotations: toolHints('adds'),
        task: 'never',
      },
      async (args) => {
        const entities = await change(args, (graph) => graph.createEntities(args.entities))
        return prettyResult({ entities }, entities)
      },
    ),
    defineTool(
      'create_relations',
      {
        title: 'Create Relations',
        description:
          'Adds relations between entities, in active voice. Those that are there already are left as they are.',
        inputSchema: input({
          relations: z.array(relationSchema).describe('The relations to add'),
        }),
        outputSchema: z.object({ relations: z.array(relationSchema) }),
        annotations: toolHints('adds'),
        task: 'never',
      },
      async (args) => {
        const relations = await change(args, (graph) => graph.createRelations(args.relations))
        return prettyResult({ relations }, relations)
      },
    ),
    defineTool(
      'add_observations',
      {
        title: 'Add Observations',
        description:
          'Adds facts to entities that exist. Facts that are known already are not added again.',
        inputSchema: input({
          observations: z
            .array(
              z.object({
                entityName: z.string().describe('The entity to add to'),
                contents: z.array(z.string()).describe('The facts to add'),
              }),
            )
            .describe('Which facts to add to which entities'),
        }),
        outputSchema: z.object({
          results: z.array(
            z.object({ entityName: z.string(), addedObservations: z.array(z.string()) }),
          ),
        }),
        annotations: toolHints('adds'),
        task: 'never',
      },
      async (args) => {
        const results = await change(args, (graph) => graph.addObservations(args.observations))
        return prettyResult({ results }, results)
      },
    ),
  ]
}

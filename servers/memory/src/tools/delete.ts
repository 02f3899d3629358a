import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { GraphAccess } from '../graph-access.ts'
import { done, doneSchema, relationSchema } from '../schemas.ts'

/** The three tools that take something away. What is not there is no error. */
export function deleteTools({ input, change }: GraphAccess): readonly Feature[] {
  return [
    defineTool(
      'delete_entities',
      {
        title: 'Delete Entities',
        description: 'Deletes entities and every relation they have.',
        inputSchema: input({ entityNames: z.array(z.string()).describe('The entities to delete') }),
        outputSchema: doneSchema,
        annotations: toolHints('destroys', { idempotent: true }),
        task: 'never',
      },
      async (args) => {
        await change(args, (graph) => graph.deleteEntities(args.entityNames))
        return done('Entities deleted successfully')
      },
    ),
    defineTool(
      'delete_observations',
      {
        title: 'Delete Observations',
        description: 'Deletes facts from entities.',
        inputSchema: input({
          deletions: z
            .array(
              z.object({
                entityName: z.string().describe('The entity that has them'),
                observations: z.array(z.string()).describe('The facts to delete'),
              }),
            )
            .describe('Which facts to delete from which entities'),
        }),
        outputSchema: doneSchema,
        annotations: toolHints('destroys', { idempotent: true }),
        task: 'never',
      },
      async (args) => {
        await change(args, (graph) => graph.deleteObservations(args.deletions))
        return done('Observations deleted successfully')
      },
    ),
    defineTool(
      'delete_relations',
      {
        title: 'Delete Relations',
        description: 'Deletes relations.',
        inputSchema: input({
          relations: z.array(relationSchema).describe('The relations to delete'),
        }),
        outputSchema: doneSchema,
        annotations: toolHints('destroys', { idempotent: true }),
        task: 'never',
      },
      async (args) => {
        await change(args, (graph) => graph.deleteRelations(args.relations))
        return done('Relations deleted successfully')
      },
    ),
  ]
}

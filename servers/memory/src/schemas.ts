import { toolResult, type ToolResult } from '@parley/mcp/server'
import { z } from 'zod'

/** One entity, in and out. */
export const entitySchema = z.object({
  name: z.string().describe('The name of the entity'),
  entityType: z.string().describe('The type of the entity'),
  observations: z.array(z.string()).describe('What is known about it, one fact each'),
})

/** One relation, in and out. */
export const relationSchema = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('What the one does to the other, in active voice'),
})

/** A graph, or a part of one. */
export const graphSchema = z.object({
  entities: z.array(entitySchema),
  relations: z.array(relationSchema),
})

/** What deletions answer. */
export const doneSchema = z.object({ success: z.boolean(), message: z.string() })

/** Which graph a tool works on, where there are several. */
export const whichGraph = z
  .string()
  .optional()
  .describe('The name of another graph than the main one; it is made when first written to')

/** The answer of a deletion. */
export function done(message: string): ToolResult<z.infer<typeof doneSchema>> {
  return toolResult({ structuredContent: { success: true, message }, content: [message] })
}

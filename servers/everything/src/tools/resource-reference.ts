import { ToolError } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { demoContents, demoUri, describeBadId, readId, resourceTypes } from '../demo-resource.ts'

/** A resource inside the answer itself. */
export const resourceReference = defineTool(
  'get-resource-reference',
  {
    title: 'Get Resource Reference Tool',
    description: 'Answers with the contents of a resource and the URI it can be read at.',
    inputSchema: z.object({
      resourceType: z.enum(resourceTypes).default('Text').describe('Text or binary'),
      resourceId: z.number().default(1).describe('A positive integer'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ resourceType, resourceId }) => {
    const id = readId(resourceId)
    if (id === undefined) throw new ToolError(describeBadId(resourceId))
    return [
      `Returning resource reference for Resource ${id}:`,
      { type: 'resource', resource: demoContents(resourceType, id) },
      `You can access this resource using the URI: ${demoUri(resourceType, id)}`,
    ]
  },
)

/** A general tracker, shown to a model as the one tool that a support team needs. */

import { createServer, type Server } from '@parley/mcp/server'
import { applyTransform, transformTools } from '@parley/tools'
import { z } from 'zod'

/** What the rest of the company uses. */
export function createTracker(): Server {
  const server = createServer({ name: 'tracker', version: '1.0.0' })
  const inputSchema = z.object({
    project: z.string(),
    title: z.string(),
    severity: z.enum(['low', 'high']),
    notify: z.boolean().optional(),
  })
  server.tool('create_issue', { inputSchema }, ({ project, title, severity, notify }) => {
    return `${project}: ${title} (${severity})${notify ? ', people were told' : ''}`
  })
  server.tool('delete_project', { inputSchema: z.object({ project: z.string() }) }, () => 'gone')
  return server
}

/** Everything is hidden but what has a rule. */
const supportDesk = transformTools({
  '*': { hide: true },
  create_issue: {
    name: 'report_problem',
    description: 'Reports a problem that a customer has',
    annotations: { destructiveHint: false },
    arguments: {
      project: { value: 'support' },
      title: { name: 'problem', description: 'One sentence, in the words of the customer' },
      severity: { default: 'low' },
      notify: { hide: true },
    },
  },
})

export function createSupportDesk(): Server {
  return applyTransform(createTracker(), supportDesk)
}

import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

const weather = {
  'New York': { temperature: 33, conditions: 'Cloudy', humidity: 82 },
  Chicago: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
  'Los Angeles': { temperature: 73, conditions: 'Sunny / Clear', humidity: 48 },
}

/** An answer that promises its shape: the handler returns the value, its text is made of it. */
export const structuredContent = defineTool(
  'get-structured-content',
  {
    title: 'Get Structured Content Tool',
    description: 'Answers with a value that fits the output schema of this tool.',
    inputSchema: z.object({
      location: z.enum(['New York', 'Chicago', 'Los Angeles']).describe('A city'),
    }),
    outputSchema: z.object({
      temperature: z.number().describe('In degrees Fahrenheit'),
      conditions: z.string().describe('In words'),
      humidity: z.number().describe('In percent'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ location }) => weather[location],
)

import { env } from 'node:process'

import { image, ToolError } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { demoContents, demoUri, describeBadId, readId, resourceTypes } from '../demo-resource.ts'
import { tinyPicture } from '../icons.ts'

/** The smallest tool. */
export const echo = defineTool(
  'echo',
  {
    title: 'Echo Tool',
    description: 'Says the message back.',
    inputSchema: z.object({ message: z.string().describe('What to say') }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ message }) => `Echo: ${message}`,
)

/** Two arguments of another type than text. */
export const sum = defineTool(
  'get-sum',
  {
    title: 'Get Sum Tool',
    description: 'Adds two numbers.',
    inputSchema: z.object({
      a: z.number().describe('The first number'),
      b: z.number().describe('The second number'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ a, b }) => `The sum of ${a} and ${b} is ${a + b}.`,
)

/** The environment belongs to whoever started the process: nobody else sees the tool, unless they are to. */
export function printEnvironment(isForAll: boolean): Feature {
  return defineTool(
    'get-env',
    {
      title: 'Print Environment Tool',
      description: 'Shows the environment variables of the server, to find out how it was started.',
      inputSchema: z.object({}),
      annotations: toolHints('reads'),
      task: 'never',
      visible: ({ http }) => isForAll || http === undefined,
    },
    () => JSON.stringify(env, null, 2),
  )
}

/** Content of several kinds in one answer. */
export const tinyImage = defineTool(
  'get-tiny-image',
  {
    title: 'Get Tiny Image Tool',
    description: 'Shows a picture of 20 by 20 points between two lines of text.',
    inputSchema: z.object({}),
    annotations: toolHints('reads'),
    task: 'never',
  },
  () => [
    "Here's the image you requested:",
    image(tinyPicture, 'image/png'),
    'The image above is the MCP logo.',
  ],
)

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

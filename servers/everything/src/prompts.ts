import { RpcError } from '@parley/mcp'
import { definePrompt, message, type Feature } from '@parley/mcp/server'
import { z } from 'zod'

import {
  completeId,
  completeType,
  demoContents,
  describeBadId,
  readId,
  resourceTypes,
} from './demo-resource.ts'

const simplePrompt = definePrompt(
  'simple-prompt',
  { title: 'Simple Prompt', description: 'A prompt without arguments.' },
  () => 'This is a simple prompt without arguments.',
)

const argsPrompt = definePrompt(
  'args-prompt',
  {
    title: 'Arguments Prompt',
    description: 'A prompt with one argument that is needed and one that is not.',
    argumentsSchema: z.object({
      city: z.string().describe('A city'),
      state: z.string().optional().describe('The state it is in'),
    }),
  },
  ({ city, state }) => `What's weather in ${state === undefined ? city : `${city}, ${state}`}?`,
)

const team: Readonly<Record<string, readonly string[]>> = {
  Engineering: ['Alice', 'Bob', 'Charlie'],
  Sales: ['David', 'Eve', 'Frank'],
  Marketing: ['Grace', 'Henry', 'Iris'],
  Support: ['John', 'Kim', 'Lee'],
}

const completablePrompt = definePrompt(
  'completable-prompt',
  {
    title: 'Team Management',
    description: 'The department narrows the names that are suggested.',
    argumentsSchema: z.object({
      department: z.string().describe('A department'),
      name: z.string().describe('Somebody who works there'),
    }),
    complete: {
      department: (value) => beginningWith(value, Object.keys(team)),
      name: (value, { department = '' }) =>
        beginningWith(value, Object.hasOwn(team, department) ? team[department] : []),
    },
  },
  ({ department, name }) => `Please promote ${name} to the head of the ${department} team.`,
)

const resourcePrompt = definePrompt(
  'resource-prompt',
  {
    title: 'Resource Prompt',
    description: 'A prompt with a resource in it.',
    argumentsSchema: z.object({
      resourceType: z.string().describe('Text or Blob'),
      resourceId: z.string().describe('A positive integer'),
    }),
    complete: { resourceType: completeType, resourceId: completeId },
  },
  ({ resourceType, resourceId }) => {
    const type = resourceTypes.find((candidate) => candidate === resourceType)
    if (type === undefined) {
      const why = `Invalid resourceType: ${resourceType}. Must be Text or Blob.`
      throw new RpcError('invalid_params', why)
    }
    const id = readId(resourceId)
    if (id === undefined) throw new RpcError('invalid_params', describeBadId(resourceId))
    return [
      `This prompt includes the ${type} resource with id: ${id}. Please analyze the following resource:`,
      message('user', { type: 'resource', resource: demoContents(type, id) }),
    ]
  },
)

function beginningWith(value: string, options: readonly string[] = []): readonly string[] {
  return options.filter((option) => option.startsWith(value))
}

/** All prompts, in the order they are listed. */
export const prompts: readonly Feature[] = [
  simplePrompt,
  argsPrompt,
  completablePrompt,
  resourcePrompt,
]

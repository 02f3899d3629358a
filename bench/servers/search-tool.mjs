// A tool as real servers list them. Those of the four reference servers in TypeScript take 576 bytes of a list on average
// (43 tools; 24 of them describe their output too), and so does this one.
import { numberFlag } from './workload.mjs'

/** Names of as many search tools as `--tools N` says. */
export function searchTools() {
  return Array.from({ length: numberFlag('--tools', 0) }, (_, index) => `search-${index + 1}`)
}

const description = 'Searches a folder and all below it for files whose names match a pattern'
const annotations = { readOnlyHint: true }

/** How it is described to a library that takes Zod; `input` and `output` are the members of objects. */
export function describeSearch(z) {
  return {
    description,
    annotations,
    input: {
      path: z.string().describe('Folder in which to start'),
      pattern: z.string().describe('Glob pattern that names must match'),
      limit: z.number().optional().describe('At most so many'),
    },
    output: { paths: z.array(z.string()) },
  }
}

/** The same as it is listed. */
export const listedSearch = {
  description,
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Folder in which to start' },
      pattern: { type: 'string', description: 'Glob pattern that names must match' },
      limit: { type: 'number', description: 'At most so many' },
    },
    required: ['path', 'pattern'],
  },
  outputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
    required: ['paths'],
    additionalProperties: false,
  },
  annotations,
}
